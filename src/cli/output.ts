import { writeFile } from 'node:fs/promises';
import { renderers } from '../render/index.js';
import type { ReportDocument } from '../report/document.js';
import type { CliContext } from './context.js';
import { chooseFormat, type OutputOptions, renderOptions } from './options.js';
import { refuseOverwriting } from './output-file.js';

/** Renders documents and writes them where the options say. */
export async function printDocuments(
  documents: readonly ReportDocument[],
  options: OutputOptions,
  context: CliContext,
): Promise<void> {
  if (options.output !== undefined) refuseOverwriting(options.output);
  const renderer = renderers[chooseFormat(options)];
  const text = await renderer.render(documents, renderOptions(options, context));
  if (options.output === undefined) await context.stdout.write(text);
  else await writeFile(options.output, text);
}
