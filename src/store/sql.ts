/** Marks SQL for editors and reviewers; the text is taken as it is. */
export function sql(strings: TemplateStringsArray, ...values: readonly (string | number)[]): string {
  return String.raw({ raw: strings.raw }, ...values);
}
