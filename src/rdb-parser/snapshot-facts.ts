import {
  type AuxField,
  type ChecksumState,
  type DatabaseFacts,
  type Dialect,
  type FunctionLibrary,
  type ModuleAux,
  type Problem,
  type ProblemCode,
  type SnapshotFacts,
  UNKNOWN,
} from './records.js';

/** AUX fields kept by name and value; what comes beyond is only counted. */
const MAX_AUX_FIELDS = 256;
/** Databases, functions and module parts kept one by one. */
const MAX_LISTED = 2 ** 14;
/** Kinds of trouble kept apart; a file can hold no more of them than there are codes and texts. */
const MAX_PROBLEMS = 256;

interface MutableDatabase extends DatabaseFacts {
  keysAnnounced: number;
  expiresAnnounced: number;
  keysRead: number;
  expiresRead: number;
}

interface MutableProblem extends Problem {
  count: number;
}

/** The facts as the decoder gathers them. All lists are bounded, whatever the file holds. */
export class MutableSnapshotFacts implements SnapshotFacts {
  dialect: Dialect = 'redis';
  product: Dialect = 'redis';
  magic = '';
  rdbVersion = 0;
  serverVersion: string | undefined = undefined;
  createdAtMs = UNKNOWN;
  usedMemoryBytes = UNKNOWN;
  wordBits = UNKNOWN;
  readonly aux: AuxField[] = [];
  readonly databases: MutableDatabase[] = [];
  readonly functions: FunctionLibrary[] = [];
  readonly moduleAux: ModuleAux[] = [];
  slotRecords = 0;
  readonly problems: MutableProblem[] = [];
  keysRead = 0;
  recordsSkipped = 0;
  complete = false;
  checksum: ChecksumState = 'unchecked';
  checksumStored: string | undefined = undefined;
  checksumComputed: string | undefined = undefined;
  snapshotBytes = 0;
  trailingBytes = 0;
  trailingKind: SnapshotFacts['trailingKind'] = 'none';
  private readonly databaseByNumber = new Map<number, MutableDatabase>();

  /** The facts of a database; the last one listed stands for all that do not fit. */
  database(db: number): MutableDatabase {
    const known = this.databaseByNumber.get(db);
    if (known !== undefined) return known;
    const last = this.databases.at(-1);
    if (last !== undefined && this.databases.length >= MAX_LISTED) return last;
    const added = { db, keysAnnounced: UNKNOWN, expiresAnnounced: UNKNOWN, keysRead: 0, expiresRead: 0 };
    this.databases.push(added);
    this.databaseByNumber.set(db, added);
    return added;
  }

  addAux(name: string, value: string): void {
    if (this.aux.length < MAX_AUX_FIELDS) this.aux.push({ name, value });
  }

  addFunction(library: FunctionLibrary): void {
    if (this.functions.length < MAX_LISTED) this.functions.push(library);
  }

  addModuleAux(part: ModuleAux): void {
    if (this.moduleAux.length < MAX_LISTED) this.moduleAux.push(part);
  }

  /** Tells a kind of trouble once, with its first place, and counts the rest. */
  addProblem(problem: Omit<Problem, 'count'>): void {
    const known = this.problems.find((other) => other.code === problem.code && other.text === problem.text);
    if (known !== undefined) known.count++;
    else if (this.problems.length < MAX_PROBLEMS) this.problems.push({ ...problem, count: 1 });
  }

  hasProblem(code: ProblemCode): boolean {
    return this.problems.some((problem) => problem.code === code);
  }
}
