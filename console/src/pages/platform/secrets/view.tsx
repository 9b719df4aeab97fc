import { addressOf, useAddressParam, useSegments } from '../../../shared/address.ts';
import { useData } from '../../../shared/api/use-data.ts';
import { CURL } from '../../../shared/format/shell.ts';
import { Explorer } from '../../../shared/list/explorer.tsx';
import { FilterBar, useFilter } from '../../../shared/list/filter-bar.tsx';
import { type Column, List } from '../../../shared/list/list.tsx';
import { rowsOf } from '../../../shared/list/rows-of.ts';
import { useMayChange } from '../../../shared/session.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { Empty } from '../../../shared/ui/notice.tsx';
import { usePlatform } from '../api.ts';
import { type Scope, SECRETS, SECRETS_CHANGE } from './api.ts';
import { NewScope } from './new-scope.tsx';
import { ScopeDetail } from './scope-detail.tsx';

const keyOf = ({ name }: Scope): string => name;

const COLUMNS: readonly Column<Scope>[] = [
  { id: 'name', title: 'Scope', width: 'minmax(8rem, 2fr)', cell: keyOf },
  {
    id: 'backend',
    title: 'Kept in',
    width: 'minmax(8rem, 1fr)',
    cell: ({ keyvault_metadata: vault }) => vault?.dns_name ?? 'the platform',
  },
];

/** Scopes and the names of their secrets. No page shows a value. */
export default function Secrets() {
  const [, open] = useSegments('platform');
  const platform = usePlatform();
  const mayChange = useMayChange();
  const [making, make] = useAddressParam('new');
  const { text = '' } = useFilter();
  const scopes = useData(
    [platform.key, 'scopes'],
    (signal) => platform.get<{ readonly scopes?: readonly Scope[] }>(`${SECRETS}/scopes/list`, {}, signal),
    { on: SECRETS_CHANGE },
  );
  const shown =
    scopes.data && (scopes.data.scopes ?? []).filter(({ name }) => name.toLowerCase().includes(text.toLowerCase()));
  const list = (
    <>
      <FilterBar placeholder="Name">
        {mayChange && <Button onPress={() => make('scope')}>Create a scope</Button>}
      </FilterBar>
      <List
        label="Secret scopes"
        source={rowsOf({ ...scopes, data: shown })}
        keyOf={keyOf}
        columns={COLUMNS}
        addressOf={(scope) => addressOf('platform', 'secrets', keyOf(scope))}
        open={open}
        empty={
          text === '' ? (
            <Empty title="There is no secret scope yet" command={EXAMPLE}>
              A scope holds secrets that tasks refer to as {'{{secrets/scope/key}}'}.
            </Empty>
          ) : (
            <Empty title="No scope has this name" />
          )
        }
      />
    </>
  );
  return (
    <>
      <Explorer
        label="Secret scope"
        closed={addressOf('platform', 'secrets')}
        list={list}
        detail={open === undefined ? undefined : <ScopeDetail key={open} name={open} />}
      />
      {making === 'scope' && <NewScope close={() => make(undefined)} />}
    </>
  );
}

const EXAMPLE = `${CURL} ${location.origin}/api/2.0/secrets/scopes/create \\
  -H "Authorization: Bearer $(npx cloudjar token)" -d '{"scope":"team"}'`;
