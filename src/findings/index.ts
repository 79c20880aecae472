/** Findings: design rules, and what in a snapshot breaks them. */

export { type Finding, SUBJECT_KINDS, type Subject, type SubjectKind } from './finding.js';
export { findingsDocument } from './findings-document.js';
export {
  ACTIONS,
  type Action,
  FINDING_SEVERITIES,
  type FindingSeverity,
  type Rule,
  TOPICS,
  type Topic,
} from './rule.js';
export { BUILT_IN_RULES, loadRules, type RuleCatalog } from './rule-catalog.js';
export { type BoundStatement, type RuleSettings, ruleCondition } from './rule-sql.js';
export { type RunOptions, runRules } from './run-rules.js';
