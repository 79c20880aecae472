import type { RuleCatalog } from '../findings/index.js';
import type { ReportDocument } from '../report/document.js';
import { NO_LIMIT } from '../report/parameter.js';
import { parameterCell } from '../report/template.js';

/** The rules and their parameters as a document. */
export function ruleListDocument(rules: RuleCatalog): ReportDocument {
  const section = { layout: 'table', notes: [], remarks: {}, charts: [], sql: '' } as const;
  return {
    id: 'rules',
    title: 'Rules',
    summary: 'The design rules that "findings" checks.',
    parameters: {},
    notes: [],
    sections: [
      {
        ...section,
        id: 'rules',
        title: 'Rules',
        columns: [
          { name: 'topic', title: 'Topic', kind: 'label' },
          { name: 'rule', title: 'Rule', kind: 'label' },
          { name: 'severity', title: 'Severity', kind: 'label' },
          { name: 'title', title: 'Looks for', kind: 'text' },
          { name: 'reason', title: 'Why', kind: 'text', optional: true },
        ],
        rows: [...rules.values()].map(({ topic, id, severity, title, reason }) => [
          topic,
          id,
          severity,
          title,
          reason,
        ]),
      },
      {
        ...section,
        id: 'parameters',
        title: 'Their parameters',
        columns: [
          { name: 'parameter', title: 'Parameter', kind: 'label' },
          { name: 'default_value', title: 'Default', kind: 'label' },
          { name: 'description', title: 'What it says', kind: 'text' },
        ],
        rows: [...rules.values()].flatMap(({ id, parameters }) =>
          parameters.map(({ name, default: value, description }) => [
            `${id}.${name}`,
            value === null ? '-' : value === NO_LIMIT ? '0' : String(parameterCell(value)),
            description,
          ]),
        ),
      },
    ],
  };
}
