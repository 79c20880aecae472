/** A command has found damage and has told it: only the exit code is left to say. */
export class DamageFound extends Error {
  override readonly name = 'DamageFound';
}
