import { afterAll, describe, expect, it } from 'vitest';
import { renderers } from '../../src/render/index.js';
import { loadCatalog } from '../../src/report/catalog.js';
import { redactorFor } from '../../src/report/redact.js';
import { runReport } from '../../src/report/run.js';
import { PLAIN } from '../render/render-options.js';
import { SAVED_AT_MS, SnapshotDatabase } from './snapshot-database.js';

const NAMES = ['alice', 'bob', 'carol', 'dave', 'erin'];
const database = new SnapshotDatabase({ path: '/srv/prod-eu-7/dump.rdb' })
  .keys(
    200,
    (i) => `user:${5000 + i}:session`,
    (i) => ({ expiresAtMs: SAVED_AT_MS + 3_600_000 + (i % 150), idleSeconds: 9_000_000 }),
  )
  .keys(
    5,
    (i) => `user:${NAMES[i]}@corp-mail.invalid:profile`,
    (i) => ({ memoryBytes: 90_000 + i }),
  )
  .key('alice-secret', { memoryBytes: 99_999_999 })
  .key(Uint8Array.from(Buffer.from('bytes\u0000alice')), { memoryBytes: 99_999_998 })
  .row('problems', {
    file_id: 1,
    code: 'damaged',
    severity: 'warning',
    text: 'key "user:alice@corp-mail.invalid:profile" in /srv/prod-eu-7/dump.rdb is odd',
    key: 'user:alice@corp-mail.invalid:profile',
    count: 1,
  })
  .build();
afterAll(() => database.close());

const redact = (secret?: string) => redactorFor(database, secret === undefined ? {} : { secret });

describe('redaction', () => {
  it('keeps the words of families and replaces ids and rare words', () => {
    const redactor = redact('s');
    expect(redactor.cell('user:5007:session', 'key')).toMatch(/^user:~[0-9a-f]{12}:session$/);
    expect(redactor.cell('user:{n}:session', 'prefix')).toBe('user:{n}:session');
    expect(redactor.cell('{empty}:{*}', 'prefix')).toBe('{empty}:{*}');
    expect(redactor.cell('user:alice@corp-mail.invalid:profile', 'key')).toMatch(
      /^user:~[0-9a-f]{12}:~[0-9a-f]{12}$/,
    );
    expect(redactor.cell({ hex: '00ff' }, 'key')).toMatch(/^~[0-9a-f]{12}$/);
    expect(redactor.cell('', 'key')).toBe('');
    expect(redactor.cell('hash', 'label')).toBe('hash');
    expect(redactor.cell(5, 'key')).toBe(5);
  });

  it('gives the same token for the same text, and others under another secret', () => {
    expect(redact('a').cell('x:1', 'key')).toBe(redact('a').cell('x:1', 'key'));
    expect(redact('a').cell('x:1', 'key')).not.toBe(redact('b').cell('x:1', 'key'));
    expect(redact().cell('x:1', 'key')).not.toBe(redact().cell('x:1', 'key'));
  });

  it.each(Object.keys(renderers))('lets no name through in any report as %s', async (format) => {
    const redactor = redact('a fixed secret');
    const documents = [...loadCatalog().values()].map((definition) => {
      const hasTop = definition.parameters.some((parameter) => parameter.name === 'top');
      const hasMatch = definition.parameters.some((parameter) => parameter.name === 'match');
      const settings = { ...(hasTop && { top: '0' }), ...(hasMatch && { match: '*alice*' }) };
      return redactor.document(runReport(database, definition, settings));
    });
    const rendered = await renderers[format as keyof typeof renderers].render(documents, {
      ...PLAIN,
      showSql: true,
    });
    // Twelve digits may hold a short number by chance.
    const text = rendered.replaceAll(/~[0-9a-f]{12}/g, '~');
    expect(text).toContain('session');
    for (const name of [...NAMES, 'corp-mail', 'secret', 'prod-eu-7', '5007'])
      expect(text).not.toContain(name);
    // The same in the hexadecimal of keys that are no text.
    expect(text).not.toContain(Buffer.from('alice').toString('hex'));
  });
});
