import type { DataType, KeyRecord } from '../rdb-parser/records.js';

/** Kinds told apart; module names are the file's, so there could be any number. */
export const MAX_KINDS = 256;

/** A row of `kinds`: data type, encoding and module of a key. */
export interface KeyKind {
  readonly id: number;
  readonly type: DataType;
  /** undefined where OBJECT ENCODING has no answer that the file would tell. */
  readonly encoding: string | undefined;
  readonly moduleName: string | undefined;
  readonly typeIndex: number;
}

/** Numbers the kinds and data types as they come. */
export class KeyKinds {
  readonly kinds: KeyKind[] = [];
  readonly types: DataType[] = [];

  private readonly byName = new Map<string, KeyKind>();
  private last: KeyKind | undefined;

  /** The kind of a record; most often that of the record before, which costs three comparisons. */
  of(record: KeyRecord, encoding: string | undefined): KeyKind {
    const last = this.last;
    const { dataType, moduleName } = record;
    if (
      last !== undefined &&
      last.type === dataType &&
      last.encoding === encoding &&
      last.moduleName === moduleName
    ) {
      return last;
    }
    const kind = this.find(dataType, encoding, moduleName);
    this.last = kind;
    return kind;
  }

  private find(type: DataType, encoding: string | undefined, moduleName: string | undefined): KeyKind {
    for (let i = 0; i < this.kinds.length && i < 32; i++) {
      const kind = this.kinds[i]!;
      if (kind.type === type && kind.encoding === encoding && kind.moduleName === moduleName) return kind;
    }
    const known = this.byName.get(nameOf(type, encoding, moduleName));
    if (known !== undefined) return known;
    if (this.kinds.length < MAX_KINDS || moduleName === undefined)
      return this.create(type, encoding, moduleName);
    return (
      this.byName.get(nameOf(type, undefined, OTHER_MODULES)) ?? this.create(type, undefined, OTHER_MODULES)
    );
  }

  private create(type: DataType, encoding: string | undefined, moduleName: string | undefined): KeyKind {
    let typeIndex = this.types.indexOf(type);
    if (typeIndex < 0) typeIndex = this.types.push(type) - 1;
    const kind: KeyKind = { id: this.kinds.length + 1, type, encoding, moduleName, typeIndex };
    this.kinds.push(kind);
    this.byName.set(nameOf(type, encoding, moduleName), kind);
    return kind;
  }
}

/** Stands for the modules that came when there were too many. */
const OTHER_MODULES = '{*}';

function nameOf(type: DataType, encoding: string | undefined, moduleName: string | undefined): string {
  return `${type}\n${encoding ?? ''}\n${moduleName ?? ''}`;
}
