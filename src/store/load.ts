import { randomBytes } from 'node:crypto';
import type { Database } from 'better-sqlite3';
import type { MemoryModel, Misfit } from '../memory/index.js';
import type { DecoderWindow } from '../rdb-parser/decoder.js';
import type { RecordRun, RecordWindow, TakenRecords } from '../rdb-parser/record-run.js';
import type { Dialect, KeyRecord, SnapshotFacts } from '../rdb-parser/records.js';
import { confirmDuplicates } from './confirm-duplicates.js';
import { DuplicateFinder, type DuplicateSearch } from './duplicates.js';
import { asStoreError } from './errors.js';
import { writeFileTables } from './file-tables.js';
import { InsertWriter } from './insert-writer.js';
import {
  DEFAULT_HASH_LIMITS,
  DEFAULT_PREFIX_LIMITS,
  type HashLimits,
  KeyCore,
  type PrefixLimits,
} from './key-core.js';
import { KeyIntake } from './key-intake.js';
import type { KeyRowWriter } from './key-row.js';
import { createSchema, DEFAULT_PAGE_BYTES, locateKeyTable, openForWriting } from './key-table.js';
import type { FileLoadInfo, LoadedFile } from './loaded-file.js';
import { writeMeta } from './meta.js';
import { PAGE_BUFFER_BYTES, PageWriter } from './page-writer.js';
import { type PatternRules, patternRulesText } from './pattern-rules.js';
import { AUTO_SEPARATORS, KeySample } from './separator-choice.js';
import { writeSetTables } from './set-tables.js';
import { StoreTarget } from './target.js';

export interface LoaderOptions {
  readonly toolVersion: string;
  /** Bytes that separate the segments of keys, or `auto`: chosen from the first keys. Default `:`. */
  readonly separators?: string;
  readonly prefixLimits?: Partial<PrefixLimits>;
  /** What segments of keys stand for, besides the ids that are known. */
  readonly patternRules?: PatternRules;
  /** Whether to look for keys that come twice. Default true. */
  readonly findDuplicates?: boolean;
  /** How much may be kept for that. */
  readonly hashLimits?: Partial<HashLimits>;
  /** Writes rows by ordinary INSERTs: slower, for doubt about the pages that are written otherwise. */
  readonly safeInsert?: boolean;
  /** A power of two from 512 to 65536. */
  readonly pageBytes?: number;
  /** The user's own options, kept in `meta` as JSON. */
  readonly options?: Readonly<Record<string, unknown>>;
}

/** Room for the window of a decoder. */
const WINDOW_BYTES = 2 ** 19;

interface FinishedFile {
  readonly file: Omit<LoadedFile, 'duplicates'>;
  readonly search: DuplicateSearch | undefined;
}

/**
 * Loads one snapshot set into a new database. For each file: `startFile`, `add` for each key, `finishFile`; then
 * `finish`, which gives the database its name. Or `abandon`, which leaves nothing behind.
 */
export class SnapshotLoader implements RecordRun {
  /** Keys so far. */
  keys = 0;

  private readonly target: StoreTarget;
  private readonly options: LoaderOptions;
  private readonly files: FinishedFile[] = [];
  private readonly limits: PrefixLimits;
  private readonly core: KeyCore;
  private readonly writer: KeyRowWriter;
  /** Open while rows are inserted; pages are written to a closed database. */
  private database: Database | undefined;
  private sample: KeySample | undefined;
  private separators: string;
  private intake: KeyIntake | undefined;
  private facts: SnapshotFacts | undefined;
  private model: MemoryModel | undefined;
  private fileHasKeys = false;

  /**
   * Makes the temporary file that will become `targetPath`.
   * @throws StoreError `not-ours`, `io` (see StoreTarget), `bad-option`
   */
  constructor(targetPath: string, options: LoaderOptions) {
    this.options = options;
    this.separators = options.separators ?? ':';
    this.limits = { ...DEFAULT_PREFIX_LIMITS, ...options.prefixLimits };
    const seeds = randomBytes(16);
    this.core = new KeyCore({
      limits: this.limits,
      hashLimits: { ...DEFAULT_HASH_LIMITS, ...options.hashLimits },
      seeds: [seeds.readBigInt64LE(0), seeds.readBigInt64LE(8)],
      pageBufferBytes: options.safeInsert === true ? 0 : PAGE_BUFFER_BYTES,
      windowBytes: WINDOW_BYTES,
      patternRules: options.patternRules,
    });
    this.target = new StoreTarget(targetPath);
    try {
      this.database = openForWriting(this.target.temporaryPath);
      createSchema(this.database, options.pageBytes ?? DEFAULT_PAGE_BYTES);
      this.writer = this.createWriter(this.database);
      if (this.separators === AUTO_SEPARATORS) this.sample = new KeySample();
      else this.intake = this.createIntake();
    } catch (error) {
      this.release();
      throw asStoreError(error, this.target.path);
    }
  }

  /** The file that `finish` makes, links followed. */
  get path(): string {
    return this.target.path;
  }

  /** For the decoder: keys that stand in it need not be copied. */
  get window(): DecoderWindow {
    return this.core.decoderWindow;
  }

  /** Cluster slots that hold keys, over all files. */
  get slots(): number {
    return this.intake?.slots.count ?? 0;
  }

  /**
   * Keys are of this file from now on.
   * @param facts may still grow: only its clock is read, at the first key
   * @param model whose figures will come; without it `take` takes nothing. It is asked between the keys
   */
  startFile(facts: SnapshotFacts, model?: MemoryModel): void {
    this.facts = facts;
    this.model = model;
    this.fileHasKeys = false;
  }

  /**
   * Takes a key in; the record may change afterwards.
   * @param memoryBytes what the memory model says
   * @param encoding what OBJECT ENCODING would say; undefined when the model has no answer
   * @param misfit what alone keeps it from its compact encoding
   * @throws StoreError `io` when the disk is full
   */
  add(record: KeyRecord, memoryBytes: number, encoding: string | undefined, misfit: Misfit = ''): void {
    this.keys++;
    try {
      if (this.intake === undefined) {
        this.hold(record, memoryBytes, encoding, misfit);
        return;
      }
      if (!this.fileHasKeys) this.beginIntake(this.intake);
      this.intake.add(record, memoryBytes, encoding, misfit);
    } catch (error) {
      throw asStoreError(error, this.target.path);
    }
  }

  /**
   * Takes plain records straight out of the decoder's window, which must be `window`; they are not `add`ed then.
   * @throws StoreError `io` when the disk is full
   */
  take(window: RecordWindow, db: number, dialect: Dialect): TakenRecords | undefined {
    // Before a file's first key it is not known when the snapshot was made.
    if (!this.fileHasKeys || this.intake === undefined) return undefined;
    try {
      const taken = this.intake.take(window, db, dialect);
      if (taken !== undefined) this.keys += taken.keys;
      return taken;
    } catch (error) {
      throw asStoreError(error, this.target.path);
    }
  }

  /** The file's keys are in, all that could be read. @throws StoreError `io` */
  finishFile(facts: SnapshotFacts, info: FileLoadInfo): void {
    this.facts = facts;
    try {
      const intake = this.intake ?? this.releaseSample();
      if (!this.fileHasKeys) this.beginIntake(intake);
      const file = { id: this.files.length + 1, facts, info, ...intake.finishFile() };
      this.files.push({ file, search: intake.duplicates?.search() });
    } catch (error) {
      throw asStoreError(error, this.target.path);
    }
  }

  /** Writes what was counted and gives the database its name. @throws StoreError `io` */
  finish(): void {
    try {
      const intake = this.intake ?? this.releaseSample();
      this.writer.finish();
      const database = this.database ?? openForWriting(this.target.temporaryPath);
      this.database = database;
      database.transaction(() => this.writeTables(database, intake))();
      database.close();
      this.database = undefined;
      this.target.commit();
    } catch (error) {
      this.writer.abandon();
      this.release();
      throw asStoreError(error, this.target.path);
    }
  }

  /** Gives the load up and removes what it wrote; an older database of that name stays. */
  abandon(): void {
    this.writer.abandon();
    this.release();
  }

  private hold(record: KeyRecord, memoryBytes: number, encoding: string | undefined, misfit: Misfit): void {
    this.sample?.hold(record, memoryBytes, encoding, misfit);
    if (this.sample?.isFull) this.releaseSample();
  }

  /** Decides on the separators and takes in what was held back. */
  private releaseSample(): KeyIntake {
    const { sample } = this;
    this.sample = undefined;
    if (sample !== undefined) this.separators = sample.separators();
    const intake = this.createIntake();
    this.intake = intake;
    if (sample !== undefined && sample.held.length > 0) {
      this.beginIntake(intake);
      for (const { record, memoryBytes, encoding, misfit } of sample.held) {
        intake.add(record, memoryBytes, encoding, misfit);
      }
    }
    return intake;
  }

  private beginIntake(intake: KeyIntake): void {
    this.fileHasKeys = true;
    intake.startFile(this.files.length + 1, this.facts?.createdAtMs ?? -1, this.model);
  }

  private createIntake(): KeyIntake {
    this.core.setSeparators(this.separators);
    const wanted = this.options.findDuplicates !== false;
    const duplicates = wanted
      ? new DuplicateFinder(this.core, `${this.target.temporaryPath}-hashes`)
      : undefined;
    return new KeyIntake(this.core, this.writer, duplicates);
  }

  private createWriter(database: Database): KeyRowWriter {
    if (this.options.safeInsert === true) return new InsertWriter(database);
    const table = locateKeyTable(database);
    database.close();
    this.database = undefined;
    return new PageWriter(table, this.core);
  }

  private writeTables(database: Database, intake: KeyIntake): void {
    const totals = [...intake.totals.rows()];
    for (const { file, search } of this.files) {
      const duplicates = search === undefined ? undefined : confirmDuplicates(database, search);
      const mine = totals.filter((row) => row.fileId === file.id);
      writeFileTables(database, { ...file, duplicates }, mine);
    }
    writeSetTables(database, intake, totals, this.limits.childrenPerNode);
    writeMeta(database, {
      toolVersion: this.options.toolVersion,
      options: this.options.options ?? {},
      separators: this.separators,
      patternRules:
        this.options.patternRules === undefined ? undefined : patternRulesText(this.options.patternRules),
      memoryProfiles: this.files.map(({ file }) => file.info.memoryProfile),
      rowWriter: this.options.safeInsert === true ? 'inserts' : 'pages',
    });
  }

  private release(): void {
    this.intake?.duplicates?.release();
    this.database?.close();
    this.database = undefined;
    this.target.discard();
  }
}
