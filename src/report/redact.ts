import { createHmac, randomBytes } from 'node:crypto';
import type Database from 'better-sqlite3';
import { placeholderNames } from '../store/key-pattern.js';
import type { Cell, ColumnKind, Note, ReportDocument, ReportSection, Sentence } from './document.js';

export interface RedactionRules {
  /** The same secret gives the same tokens; a random one makes them worthless outside of one run. */
  readonly secret?: string;
  /** Words to keep besides the ones that the snapshot itself makes common. */
  readonly keep?: readonly string[];
}

/**
 * Replaces what could name a person or a machine by tokens, the same for the same text: ids and rare segments of keys,
 * paths, quoted names in messages. Words that name families of keys stay, so that a report can still be read.
 */
export class Redactor {
  readonly #secret: string | Buffer;
  readonly #known: ReadonlySet<string>;
  readonly #separators: RegExp;
  readonly #placeholder: RegExp;
  readonly #placeholdersOnly: RegExp;

  /** @param placeholders of the user's own rules, without braces */
  constructor(
    known: ReadonlySet<string>,
    separators: string,
    secret?: string,
    placeholders: readonly string[] = [],
  ) {
    this.#secret = secret ?? randomBytes(32);
    this.#known = known;
    this.#separators = new RegExp(`([${separators.replace(/[\\\]^-]/g, '\\$&')}]+)`);
    const placeholder = placeholderNames(placeholders);
    this.#placeholder = new RegExp(`^\\{(?:${placeholder})\\}$`);
    this.#placeholdersOnly = new RegExp(`^(?:\\{(?:${placeholder})\\}|[^\\p{L}\\p{N}])*$`, 'u');
  }

  document(document: ReportDocument): ReportDocument {
    return {
      ...document,
      parameters: Object.fromEntries(
        Object.entries(document.parameters).map(([name, value]) => [
          name,
          typeof value === 'string' ? this.#key(value) : value,
        ]),
      ),
      notes: document.notes.map((note) => this.#note(note)),
      sections: document.sections.map((section) => this.#section(section)),
    };
  }

  cell(cell: Cell, kind: ColumnKind): Cell {
    if (cell === null || typeof cell === 'number') return cell;
    if (typeof cell === 'object') return this.#token(Buffer.from(cell.hex, 'hex'));
    switch (kind) {
      case 'key':
      case 'prefix':
        return this.#key(cell);
      case 'text':
        return this.#text(cell);
      default:
        return cell;
    }
  }

  #section(section: ReportSection): ReportSection {
    const { columns, rows, notes, empty, remarks } = section;
    return {
      ...section,
      notes: notes.map((note) => this.#note(note)),
      ...(empty !== undefined && { empty: this.#sentence(empty) }),
      rows: rows.map((row) => row.map((cell, i) => this.cell(cell, columns[i]?.kind ?? 'text'))),
      remarks: Object.fromEntries(
        Object.entries(remarks).map(([name, sentence]) => [name, this.#sentence(sentence)]),
      ),
      // Parameters are written out in it.
      sql: '',
    };
  }

  #note({ severity, text }: Note): Note {
    return { severity, text: this.#sentence(text) };
  }

  #sentence(sentence: Sentence): Sentence {
    return sentence.map((part) =>
      typeof part === 'string' ? part : { ...part, value: this.cell(part.value, part.kind) },
    );
  }

  /** Segment by segment; inside one, known words stay when there are any. */
  #key(key: string): string {
    return key
      .split(this.#separators)
      .map((segment, i) => (i % 2 === 1 ? segment : this.#segment(segment)))
      .join('');
  }

  #segment(segment: string): string {
    if (segment === '' || this.#placeholdersOnly.test(segment)) return segment;
    const words = segment.split(/(\{[^{}]*\}|[^\p{L}\p{N}]+)/u);
    const isKept = (word: string): boolean => this.#known.has(word.toLowerCase());
    if (!words.some((word, i) => i % 2 === 0 && isKept(word))) return this.#token(segment);
    return words
      .map((word, i) =>
        word === '' ||
        (i % 2 === 1 && !/[\p{L}\p{N}]/u.test(word)) ||
        this.#placeholder.test(word) ||
        isKept(word)
          ? word
          : this.#token(word),
      )
      .join('');
  }

  /** A message: what stands in quotes, and paths. */
  #text(text: string): string {
    return text
      .replace(/"[^"]*"/g, (quoted) => `"${this.#key(quoted.slice(1, -1))}"`)
      .replace(/\S*[/\\]\S*|\S+\.(rdb|aof|sqlite|gz|zst|lz4)\b/g, (path) => this.#token(path));
  }

  #token(text: string | Uint8Array): string {
    return `~${createHmac('sha256', this.#secret).update(text).digest('hex').slice(0, 12)}`;
  }
}

/** A family's word is in this share of the keys at least, and in this many. */
const COMMON_SHARE = 0.001;
const COMMON_KEYS = 10;
/** Where a prefix has more different words below it than this, they are names of things, not of families. */
const MOST_SIBLINGS = 40;

/**
 * A redactor for one snapshot: words are known when they stand in a prefix that many keys share and that has few
 * siblings; types and encodings are known too.
 */
export function redactorFor(database: Database.Database, rules: RedactionRules): Redactor {
  const prefixes = database
    .prepare(
      `SELECT prefixes.prefix FROM prefixes
       JOIN (SELECT parent_id, COUNT(*) AS siblings FROM prefixes GROUP BY parent_id) AS family
         ON family.parent_id = prefixes.parent_id
       WHERE prefixes.keys >= :keys AND prefixes.keys >= :share * (SELECT SUM(keys) FROM totals)
         AND family.siblings <= :siblings`,
    )
    .pluck()
    .all({ keys: COMMON_KEYS, share: COMMON_SHARE, siblings: MOST_SIBLINGS }) as string[];
  const kinds = database
    .prepare('SELECT DISTINCT type FROM kinds UNION SELECT encoding FROM kinds')
    .pluck()
    .all() as (string | null)[];
  const words = new Set<string>();
  for (const text of [...prefixes, ...kinds, ...(rules.keep ?? [])]) {
    // Only whole words of letters: a word with a digit in it is an id.
    for (const word of text?.match(/[\p{L}\p{N}]+/gu) ?? [])
      if (/^\p{L}+$/u.test(word)) words.add(word.toLowerCase());
  }
  const separators = database.prepare("SELECT value FROM meta WHERE name = 'separators'").pluck().get();
  return new Redactor(
    words,
    typeof separators === 'string' && separators !== '' ? separators : ':',
    rules.secret,
    ownPlaceholders(database),
  );
}

/** The names of the placeholders that the load's own rules brought. */
function ownPlaceholders(database: Database.Database): string[] {
  const listed = database.prepare("SELECT value FROM meta WHERE name = 'pattern_placeholders'").pluck().get();
  return typeof listed === 'string' ? (listed.match(/[A-Za-z][\w-]*/g) ?? []) : [];
}
