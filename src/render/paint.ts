/** Colours by meaning; never the only sign of it. */
export interface Paint {
  readonly heading: (text: string) => string;
  readonly quiet: (text: string) => string;
  readonly good: (text: string) => string;
  readonly warning: (text: string) => string;
  readonly error: (text: string) => string;
}

const plain = (text: string): string => text;

/** Source of the codes: ECMA-48, select graphic rendition. */
function graphic(on: number, off: number): (text: string) => string {
  return (text) => (text === '' ? '' : `\u001b[${on}m${text}\u001b[${off}m`);
}

const COLOURS: Paint = {
  heading: graphic(1, 22),
  quiet: graphic(2, 22),
  good: graphic(32, 39),
  warning: graphic(33, 39),
  error: graphic(31, 39),
};
const NO_COLOURS: Paint = { heading: plain, quiet: plain, good: plain, warning: plain, error: plain };

export function paint(color: boolean): Paint {
  return color ? COLOURS : NO_COLOURS;
}
