import { Box, Braces, Database, FolderOpen, HardDrive, Table2 } from 'lucide-react';
import { addressOf, useSegments } from '../../../shared/address.ts';
import { Explorer } from '../../../shared/list/explorer.tsx';
import { Empty } from '../../../shared/ui/notice.tsx';
import { usePlatform } from '../api.ts';
import { LazyTree } from '../lazy-tree.tsx';
import { useGoTo } from '../place.tsx';
import { TreeEntry } from '../tree-entry.tsx';
import { below, CATALOG_CHANGE, idOf, readId } from './api.ts';
import { SecurableDetail } from './securable-detail.tsx';

const ICONS = {
  catalog: Database,
  schema: FolderOpen,
  table: Table2,
  volume: HardDrive,
  function: Braces,
  model: Box,
} as const;

/** Catalogs, their schemas, and what is in them. */
export default function Catalog() {
  const [, kind, fullName] = useSegments('platform');
  const platform = usePlatform();
  const goTo = useGoTo();
  const open = readId(`${kind}/${fullName}`);
  const [catalog = '', schema] = (fullName ?? '').split('.');
  const above =
    open === undefined || open.kind === 'catalog'
      ? []
      : [idOf('catalog', catalog), ...(open.kind === 'schema' ? [] : [idOf('schema', `${catalog}.${schema}`)])];
  return (
    <Explorer
      label="Object of the catalog"
      closed={addressOf('platform', 'catalog')}
      list={
        <LazyTree
          label="Catalog"
          dataKey={platform.key}
          on={CATALOG_CHANGE}
          selected={open && idOf(open.kind, open.fullName)}
          above={above}
          onSelect={(id) => {
            const chosen = readId(id);
            if (chosen) goTo('catalog', chosen.kind, chosen.fullName);
          }}
          childrenOf={async (id, signal) =>
            (await below(platform, id, signal)).map((found) => ({
              id: idOf(found.kind, found.fullName),
              text: found.name,
              content: <TreeEntry icon={ICONS[found.kind]} text={found.name} />,
              isBranch: found.kind === 'catalog' || found.kind === 'schema',
            }))
          }
          empty={<Empty title="The workspace has no catalog" />}
        />
      }
      detail={open && <SecurableDetail key={fullName} kind={open.kind} fullName={open.fullName} />}
    />
  );
}
