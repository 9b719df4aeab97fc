import { ok } from '../../../kernel/http/index.ts';
import { type JsonMembers, omitAbsent } from '../../../kernel/values/index.ts';
import { completeFields, type FieldRules, readFields } from '../engine/fields.ts';
import { findObject } from '../engine/find.ts';
import { membersOf, numberOf, textOf } from '../engine/json.ts';
import { viewOf } from '../engine/list.ts';
import { objectKey, objects, type PlatformObject } from '../engine/objects.ts';
import { createObject } from '../engine/operations.ts';
import { type PlatformCall, routeCode } from '../jar.ts';
import type { Operation } from '../operation.ts';
import { objectsBelow } from '../sql/legacy/common.ts';
import { LEGACY_DASHBOARDS } from '../sql/legacy/dashboards.ts';
import { WIDGETS } from '../sql/legacy/widgets.ts';
import { QUERIES_NAME, VISUALIZATIONS } from '../sql/visualizations.ts';
import { DASHBOARDS } from './dashboards.ts';

/** Creates a dashboard from a legacy one: one page, with the texts and visualizations at their positions, and a dataset for each query. */

const FIELDS: FieldRules = {
  source_dashboard_id: { type: 'string', required: true },
  display_name: { type: 'string', least: 1 },
  parent_path: { type: 'string' },
  update_parameter_syntax: { type: 'boolean' },
};

const find = async ({ jar }: PlatformCall, scope: string, kind: string, id: string | undefined) =>
  id === undefined ? undefined : (await jar.store.get(objects, objectKey(scope, kind, id)))?.value;

const position = (widget: PlatformObject, index: number): JsonMembers => {
  const { col, row, sizeX, sizeY } = membersOf(membersOf(widget.fields.options).position);
  return {
    x: numberOf(col) ?? 0,
    y: numberOf(row) ?? index,
    width: numberOf(sizeX) ?? 6,
    height: numberOf(sizeY) ?? 1,
  };
};

/** Parameters are `{{ name }}` in legacy queries and `:name` in dashboards. */
const inNewSyntax = (query: string): string => query.replace(/\{\{\s*([A-Za-z_]\w*)\s*\}\}/g, ':$1');

async function contentOf(call: PlatformCall, source: PlatformObject, updatesSyntax: boolean): Promise<string> {
  const datasets = new Map<string, JsonMembers>();
  const layout: JsonMembers[] = [];
  for (const [index, widget] of (await objectsBelow(call, WIDGETS, source.id)).entries()) {
    const { text, visualization_id } = widget.fields;
    const drawn = await find(call, source.scope, VISUALIZATIONS.name, textOf(visualization_id));
    const query = drawn && (await find(call, source.scope, QUERIES_NAME, drawn.parent));
    const statement = textOf(query?.fields.query_text) ?? '';
    if (query)
      datasets.set(query.id, {
        name: query.id,
        displayName: query.fields.display_name,
        query: updatesSyntax ? inNewSyntax(statement) : statement,
      });
    const shown = drawn
      ? {
          queries: query ? [{ name: 'main_query', query: { datasetName: query.id } }] : [],
          spec: { type: drawn.fields.type },
        }
      : { textbox_spec: text ?? '' };
    layout.push({ widget: omitAbsent({ name: widget.id, ...shown }), position: position(widget, index) });
  }
  const page = { name: source.id, displayName: source.name ?? '', layout };
  return JSON.stringify({ datasets: [...datasets.values()], pages: [page] });
}

export const MIGRATE_OPERATION: Operation = {
  method: 'POST',
  path: '/lakeview/dashboards/migrate',
  operation: 'lakeview_migrate',
  summary: 'Dashboards: create one from a legacy dashboard',
  code: routeCode([], {
    async handle(call) {
      const said = completeFields(FIELDS, readFields(FIELDS, call.body ?? {}));
      const source = await findObject(call, LEGACY_DASHBOARDS, textOf(said.source_dashboard_id) ?? '');
      const made = await createObject(
        call,
        DASHBOARDS,
        omitAbsent({
          display_name: said.display_name ?? source.name,
          parent_path: said.parent_path,
          serialized_dashboard: await contentOf(call, source, said.update_parameter_syntax === true),
        }),
      );
      return ok(await viewOf(call, DASHBOARDS, made));
    },
  }),
};
