/**
 * The front door: load a snapshot, run reports on the database, render them. The layers on their own are the subpaths
 * `rdbscope/rdb-parser`, `/memory`, `/store`, `/report`, `/render`.
 */

export { type Calibration, type CalibrationRequest, calibrate } from './calibrate/calibrate.js';
export { calibrationDocument } from './calibrate/calibration-document.js';
export { ServerProblem } from './calibrate/server-connection.js';
export { type Inspection, type InspectRequest, inspectKey, KeyNotFound } from './inspect/inspect.js';
export type { KeyLayout } from './inspect/key-layout.js';
export {
  type LoadedFile,
  type LoadOptions,
  type LoadProgress,
  type LoadResult,
  loadSnapshot,
  type ModelOptions,
  type ScanOptions,
  type ScanResult,
  scanSnapshot,
} from './load.js';
export { RdbError, type RdbErrorCode, type RdbLocation } from './rdb-parser/index.js';
export { renderers } from './render/index.js';
export { findReport, loadCatalog, type ReportDocument, runReport } from './report/index.js';
export { openInput, type SnapshotInput } from './source/open-input.js';
export { SourceError, type SourceErrorCode } from './source/source-error.js';
export {
  openStore,
  type PatternRule,
  type PatternRules,
  parsePatternRules,
  StoreError,
  type StoreErrorCode,
} from './store/index.js';
export { type Verification, type VerifyRequest, verifySnapshot } from './verify/verify.js';
export { recordedSet, SnapshotNotAtHand } from './what-if/recorded-set.js';
export { type WhatIf, type WhatIfRequest, whatIf } from './what-if/what-if.js';
export { whatIfDocument } from './what-if/what-if-document.js';
