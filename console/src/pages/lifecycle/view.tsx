import { addressOf, useAddressParam, useSegments } from '../../shared/address.ts';
import { dataOf } from '../../shared/api/control.ts';
import { useData } from '../../shared/api/use-data.ts';
import { CURL } from '../../shared/format/shell.ts';
import { Time } from '../../shared/format/time.tsx';
import { Explorer } from '../../shared/list/explorer.tsx';
import { FilterBar, useFilter } from '../../shared/list/filter-bar.tsx';
import { type Column, List } from '../../shared/list/list.tsx';
import { rowsOf } from '../../shared/list/rows-of.ts';
import { useMayChange } from '../../shared/session.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Page } from '../../shared/ui/layout.tsx';
import { Empty } from '../../shared/ui/notice.tsx';
import { type App, lifecycle, nameOf } from './api.ts';
import { AppDetail } from './app-detail.tsx';
import { NewApp } from './new-app.tsx';

const keyOf = ({ owner, name }: App): string => `${owner.name}/${name}`;

const COLUMNS: readonly Column<App>[] = [
  { id: 'name', title: 'App', width: 'minmax(8rem, 2fr)', cell: ({ display_name }) => display_name },
  { id: 'owner', title: 'Owner', width: 'minmax(6rem, 1fr)', cell: ({ owner }) => owner.display_name },
  { id: 'os', title: 'System', width: '6rem', isExtra: true, cell: ({ os }) => os },
  { id: 'platform', title: 'Platform', width: '9rem', isExtra: true, cell: ({ platform }) => platform },
  { id: 'created', title: 'Created', width: '7rem', cell: ({ created_at }) => <Time at={created_at} /> },
];

/** The apps of the app lifecycle service: their crashes, their analytics, their tokens. */
export default function Lifecycle() {
  const [owner, app] = useSegments('lifecycle');
  const { text = '' } = useFilter();
  const [making, make] = useAddressParam('new');
  const mayChange = useMayChange();
  const apps = useData(['lifecycle', 'apps'], (signal) => dataOf(lifecycle.GET('/v0.1/apps', { signal })), {
    on: ['/v0.1/apps', '/v0.1/orgs'],
  });
  const wanted = text.toLowerCase();
  const shown = apps.data?.filter((each) => `${each.display_name} ${keyOf(each)}`.toLowerCase().includes(wanted));
  const opened = apps.data?.find(({ owner: { name }, ...each }) => name === owner && each.name === app);
  const list = (
    <>
      <FilterBar placeholder="Name or owner">
        {mayChange && <Button onPress={() => make('app')}>Create an app</Button>}
      </FilterBar>
      <List
        label="Apps"
        source={rowsOf({ ...apps, data: shown })}
        keyOf={keyOf}
        columns={COLUMNS}
        addressOf={(each) => addressOf('lifecycle', each.owner.name, each.name)}
        open={opened && keyOf(opened)}
        empty={
          <Empty
            title={text === '' ? 'There is no app yet' : 'No app has this name'}
            {...(text === '' && { command: EXAMPLE })}
          >
            An app groups crash reports, sessions and events that its devices send.
          </Empty>
        }
      />
    </>
  );
  return (
    <Page title="App lifecycle" about="Apps with their crashes, usage and tokens." isFull>
      <Explorer
        label="App"
        closed={addressOf('lifecycle')}
        list={list}
        detail={opened && <AppDetail key={keyOf(opened)} app={opened} name={nameOf(opened)} />}
      />
      {making === 'app' && <NewApp close={() => make(undefined)} after={apps.readAgain} />}
    </Page>
  );
}

const EXAMPLE = `${CURL} ${location.origin}/v0.1/apps -H "X-API-Token: $(npx cloudjar keys lifecycle)" -H 'Content-Type: application/json' -d '{"display_name":"My first app","os":"Android","platform":"Java"}'`;
