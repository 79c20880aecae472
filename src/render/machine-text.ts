/**
 * JSON text that is safe to print: besides what JSON itself escapes, everything that could steer a terminal or change
 * how text is laid out is written as `\uXXXX`, which any JSON reader takes back.
 */
export function safeJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replace(UNSAFE, (character) =>
    [...character].map(escapeUnits).join(''),
  );
}

const UNSAFE = /[\u007f-\u009f\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/gu;

function escapeUnits(character: string): string {
  let text = '';
  for (let i = 0; i < character.length; i++) {
    text += `\\u${character.charCodeAt(i).toString(16).padStart(4, '0')}`;
  }
  return text;
}
