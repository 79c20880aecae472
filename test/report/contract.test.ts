import type Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadCatalog } from '../../src/report/catalog.js';
import { runReport } from '../../src/report/run.js';
import { hostileSnapshot } from './hostile-snapshot.js';
import { SnapshotDatabase } from './snapshot-database.js';

const catalog = loadCatalog();

describe.each([...catalog.values()])('report $id', (definition) => {
  let hostile: Database.Database;
  let empty: Database.Database;
  beforeAll(() => {
    hostile = hostileSnapshot();
    empty = new SnapshotDatabase().build();
  });
  afterAll(() => {
    hostile.close();
    empty.close();
  });

  it('gives the columns that its header declares, and only reads', () => {
    for (const section of definition.sections) {
      const statement = hostile.prepare(section.statement.sql);
      expect(statement.readonly).toBe(true);
      const names = statement.columns().map((column) => column.name);
      if (names.at(-1) === 'total_rows') names.pop();
      expect(names).toEqual(section.columns.map((column) => column.name));
    }
  });

  it('runs over hostile keys and over a snapshot without keys', () => {
    const document = runReport(hostile, definition);
    expect(document.sections.length + document.notes.length).toBeGreaterThan(0);
    for (const section of document.sections) {
      for (const row of section.rows) expect(row).toHaveLength(section.columns.length);
    }
    expect(runReport(empty, definition).id).toBe(definition.id);
  });

  it('orders every table totally, so that its rows do not depend on how they lie', () => {
    for (const section of definition.sections) {
      if (section.layout === 'record') continue;
      expect(section.statement.sql).toMatch(/\bORDER BY\b[^()]*$/);
    }
  });

  it('is described: every parameter, and each table says what its columns are', () => {
    expect(definition.summary).toMatch(/\.$/);
    for (const parameter of definition.parameters) expect(parameter.description).toMatch(/\.$/);
    for (const section of definition.sections) {
      for (const column of section.columns) expect(column.name).toMatch(/^[a-z][a-z0-9_]*$/);
    }
  });
});
