import { RdbError, type RdbErrorCode, type RdbLocation } from './rdb-parser/errors.js';
import { SourceError, type SourceFault } from './source/source-error.js';
import { StoreError, type StoreErrorCode } from './store/errors.js';

/** An error as plain data, to be made whole again in another thread: a clone would lose class, code and place. */
export type CarriedError =
  | { readonly kind: 'rdb'; readonly code: RdbErrorCode; readonly problem: string; readonly at: RdbLocation }
  | { readonly kind: 'source'; readonly fault: SourceFault }
  | { readonly kind: 'store'; readonly code: StoreErrorCode; readonly problem: string; readonly path: string }
  | {
      readonly kind: 'other';
      readonly name: string;
      readonly message: string;
      readonly stack: string | undefined;
    };

export function carryError(error: unknown): CarriedError {
  if (error instanceof RdbError) {
    return { kind: 'rdb', code: error.code, problem: error.problem, at: { ...error.at } };
  }
  if (error instanceof SourceError) return { kind: 'source', fault: error.fault };
  if (error instanceof StoreError) {
    const prefix = error.path === '' ? '' : `${error.path}: `;
    return { kind: 'store', code: error.code, problem: error.message.slice(prefix.length), path: error.path };
  }
  if (error instanceof Error) {
    return { kind: 'other', name: error.name, message: error.message, stack: error.stack };
  }
  return { kind: 'other', name: 'Error', message: String(error), stack: undefined };
}

export function restoreError(carried: CarriedError): Error {
  switch (carried.kind) {
    case 'rdb':
      return new RdbError(carried.code, carried.problem, carried.at);
    case 'source':
      return new SourceError(carried.fault);
    case 'store':
      return new StoreError(carried.code, carried.problem, carried.path);
    case 'other': {
      const error = new Error(carried.message);
      error.name = carried.name;
      if (carried.stack !== undefined) error.stack = carried.stack;
      return error;
    }
  }
}
