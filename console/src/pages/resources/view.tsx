import { addressOf, useAddressParam, useGo, useSegments } from '../../shared/address.ts';
import { control, dataOf } from '../../shared/api/control.ts';
import { useData } from '../../shared/api/use-data.ts';
import { useMayChange } from '../../shared/session.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Page } from '../../shared/ui/layout.tsx';
import { Sections } from '../../shared/ui/sections.tsx';
import { CHANGED } from './api.ts';
import { NewGroup } from './new-group.tsx';
import { Operations } from './operations.tsx';
import styles from './resources.module.css';
import { ResourcesOf } from './resources-of.tsx';
import { useScopes } from './use-scopes.ts';

/** Subscriptions, groups and resources of all tenants, and what is being done with them. */
export default function Resources() {
  const segments = useSegments('resources');
  const isOperations = segments[0] === 'operations';
  const [making, make] = useAddressParam('new');
  const [scope] = useAddressParam('scope');
  const go = useGo();
  const mayChange = useMayChange();
  const scopes = useScopes();
  const running = useData(
    ['resources', 'running'],
    async (signal) => {
      const query = { $filter: "status eq 'InProgress'", $top: 100 };
      return (await dataOf(control.GET('/_jar/resources/operations', { params: { query }, signal }))).value.length;
    },
    { on: CHANGED },
  );
  return (
    <Page
      title="Resources"
      about="Subscriptions, groups and resources of every type, and the operations that change them."
      isFull
      actions={
        mayChange && (
          <>
            <Button onPress={() => make('group')}>Create a resource group</Button>
            <Button look="main" onPress={() => go(addressOf('resources', 'new'), { keep: true })}>
              Create a resource
            </Button>
          </>
        )
      }
    >
      <div className={styles.outer}>
        <Sections
          label="Parts of the page"
          sections={[
            { title: 'Resources', address: addressOf('resources'), isCurrent: !isOperations },
            {
              title: running.data ? `Operations (${running.data} in progress)` : 'Operations',
              address: addressOf('resources', 'operations'),
              isCurrent: isOperations,
            },
          ]}
        />
        {isOperations ? <Operations open={segments[1]} /> : <ResourcesOf segments={segments} scopes={scopes} />}
      </div>
      {making === 'group' && scopes.data && (
        <NewGroup
          scopes={scopes.data}
          scope={scope}
          close={() => make(undefined)}
          after={(id) => {
            scopes.readAgain();
            go(`${addressOf('resources')}?scope=${encodeURIComponent(id)}`);
          }}
        />
      )}
    </Page>
  );
}
