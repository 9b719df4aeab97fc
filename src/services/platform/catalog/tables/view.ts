import type { Reader } from '../../../../kernel/store/index.ts';
import { isList, type JsonMembers, omitAbsent } from '../../../../kernel/values/index.ts';
import type { PlatformCall } from '../../jar.ts';
import type { Chain } from '../core/chain.ts';
import { viewChains } from '../core/list.ts';
import { dataIdOf } from '../core/securables.ts';
import { columnsOf } from './column-store.ts';
import { constraintsView } from './constraints.ts';
import { stateOf } from './data/files.ts';
import { TABLES } from './kind.ts';

/** Parts that an answer omits. */
export interface Omitted {
  readonly columns?: boolean;
  readonly properties?: boolean;
  /** Names of principals. */
  readonly usernames?: boolean;
}

/** Tables on the wire. Columns are only read for tables that show them. */
export async function viewTables(
  call: PlatformCall,
  chains: readonly Chain[],
  omitted: Omitted = {},
): Promise<readonly JsonMembers[]> {
  const views = await viewChains(call, TABLES, chains);
  const shown: JsonMembers[] = [];
  for (const [index, view] of views.entries()) {
    const { target } = chains[index] as Chain;
    // A caller with only `BROWSE` sees the table's existence and description.
    const hidden = view.browse_only === true ? { view_definition: undefined, row_filter: undefined } : {};
    const columns = omitted.columns || view.browse_only === true ? undefined : await columnsOf(call.jar.store, target);
    shown.push(
      omitAbsent({
        ...view,
        ...hidden,
        ...(columns && {
          columns: columns.map((column) => ({ ...column, mask: isShared(target) ? undefined : maskOf(column.mask) })),
        }),
        ...(omitted.properties && { properties: undefined }),
        ...(omitted.usernames && { owner: undefined, created_by: undefined, updated_by: undefined }),
      }),
    );
  }
  return shown;
}

/** Functions of the provider are not shown with shared tables. */
const isShared = (table: Chain['target']): boolean => dataIdOf(table) !== table.id;

const maskOf = (
  mask: { readonly function_name: string; readonly using_column_names?: readonly string[] } | undefined,
) => mask && { function_name: mask.function_name, using_column_names: [...(mask.using_column_names ?? [])] };

/** One table with all details. */
export async function viewTable(
  call: PlatformCall,
  chain: Chain,
  { deltaMetadata = false } = {},
): Promise<JsonMembers> {
  const [view = {}] = await viewTables(call, [chain]);
  if (view.browse_only === true) return view;
  const constraints = await constraintsView(call.jar.store, chain);
  return {
    ...view,
    ...(isList(constraints) && constraints.length > 0 && { table_constraints: constraints }),
    ...(deltaMetadata && (await deltaProperties(call.jar.store, chain))),
  };
}

/** Properties derived from the data log, as texts. */
async function deltaProperties(reader: Reader, { target }: Chain): Promise<JsonMembers> {
  const state = await stateOf(reader, dataIdOf(target));
  if (!state) return {};
  return {
    delta_runtime_properties_kvpairs: {
      delta_runtime_properties: {
        'delta.lastUpdateVersion': String(state.version),
        'delta.lastCommitTimestamp': String(state.timestamp),
        'delta.minReaderVersion': '1',
        'delta.minWriterVersion': '2',
        'delta.numFiles': String(state.files),
        'delta.sizeInBytes': String(state.bytes),
      },
    },
  };
}
