import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** One folder for whatever a run of the tests puts into the temporary folder; removed with it, also when tests fail. */
export function setup(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'rdbscope-tests-'));
  process.env.TMPDIR = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}
