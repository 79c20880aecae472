/** Reports: definitions, how to run them, and the documents they give. */
export { BUILT_IN_REPORTS, type Catalog, findReport, loadCatalog } from './catalog.js';
export type { ParameterDefinition, ReportDefinition, SectionDefinition } from './definition.js';
export type {
  BytesCell,
  Cell,
  Chart,
  ColumnKind,
  Note,
  ReportColumn,
  ReportDocument,
  ReportSection,
  Sentence,
  Severity,
  ValuePart,
} from './document.js';
export { REPORT_SCHEMA_VERSION } from './document.js';
export { ReportError, type ReportErrorCode } from './errors.js';
export { parseDefinition } from './parse-definition.js';
export { runReport } from './run.js';
