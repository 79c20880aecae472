/** The command line asks for something that cannot be meant; `message` is one sentence that helps. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
