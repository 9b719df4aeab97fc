import { describe } from 'vitest';
import { documentTests } from './contract/documents.ts';
import { engines } from './contract/engines.ts';
import { feedTests } from './contract/feed.ts';
import { lifeTests } from './contract/life.ts';
import { linkedTests } from './contract/linked.ts';
import { nodeTests } from './contract/nodes.ts';
import { queryTests } from './contract/queries.ts';
import { searchTests } from './contract/search.ts';
import { anySearchTests } from './contract/search-any.ts';
import { snapshotTests } from './contract/snapshots.ts';
import { tableCaptureTests } from './contract/table-captures.ts';
import { tableChangeTests } from './contract/table-changes.ts';
import { tableSelectTests } from './contract/table-selects.ts';
import { tableTests } from './contract/tables.ts';
import { viewTests } from './contract/views.ts';
import { workTests } from './contract/work.ts';

for (const engine of engines) {
  describe(`${engine.name}: documents`, () => documentTests(engine));
  describe(`${engine.name}: queries`, () => queryTests(engine));
  describe(`${engine.name}: linked documents`, () => linkedTests(engine));
  describe(`${engine.name}: full text`, () => searchTests(engine));
  describe(`${engine.name}: full text of any kind`, () => anySearchTests(engine));
  describe(`${engine.name}: change feed`, () => feedTests(engine));
  describe(`${engine.name}: due work`, () => workTests(engine));
  describe(`${engine.name}: work and changes, read like documents`, () => viewTests(engine));
  describe(`${engine.name}: opening, wiping and closing`, () => lifeTests(engine));
  describe(`${engine.name}: captured and loaded again`, () => snapshotTests(engine));
  describe(`${engine.name}: typed tables`, () => tableTests(engine));
  describe(`${engine.name}: typed tables that change`, () => tableChangeTests(engine));
  describe(`${engine.name}: statements over typed tables`, () => tableSelectTests(engine));
  describe(`${engine.name}: typed tables, captured and loaded again`, () => tableCaptureTests(engine));
  if (engine.shared) describe(`${engine.name}: several nodes`, () => nodeTests(engine));
}
