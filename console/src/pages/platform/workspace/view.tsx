import { File, FlaskConical, Folder, GitBranch, LayoutDashboard, NotebookText } from 'lucide-react';
import { addressOf, useSegments } from '../../../shared/address.ts';
import { lastSegment } from '../../../shared/format/ids.ts';
import { CURL } from '../../../shared/format/shell.ts';
import { Explorer } from '../../../shared/list/explorer.tsx';
import { Empty } from '../../../shared/ui/notice.tsx';
import { usePlatform } from '../api.ts';
import { LazyTree } from '../lazy-tree.tsx';
import { useGoTo } from '../place.tsx';
import { TreeEntry } from '../tree-entry.tsx';
import { entriesOf, isFolder, pathOf, segmentsOf, WORKSPACE_CHANGE, type WorkspaceObject } from './api.ts';
import { ObjectDetail } from './object-detail.tsx';

const ICONS = {
  DIRECTORY: Folder,
  REPO: GitBranch,
  NOTEBOOK: NotebookText,
  DASHBOARD: LayoutDashboard,
  MLFLOW_EXPERIMENT: FlaskConical,
} as const;

const iconOf = ({ object_type: type }: WorkspaceObject) => ICONS[type as keyof typeof ICONS] ?? File;

/** The folders, notebooks and files of the workspace. */
export default function Workspace() {
  const [, ...segments] = useSegments('platform');
  const platform = usePlatform();
  const goTo = useGoTo();
  const open = segments.length === 0 ? undefined : pathOf(segments);
  return (
    <Explorer
      label="Object of the workspace"
      closed={addressOf('platform', 'workspace')}
      list={
        <LazyTree
          label="Workspace"
          dataKey={platform.key}
          on={WORKSPACE_CHANGE}
          selected={open}
          above={segments.slice(0, -1).map((_, index) => pathOf(segments.slice(0, index + 1)))}
          onSelect={(path) => goTo('workspace', ...segmentsOf(path))}
          childrenOf={async (id, signal) =>
            (await entriesOf(platform, id === '' ? '/' : id, signal)).map((object) => ({
              id: object.path,
              text: lastSegment(object.path),
              content: <TreeEntry icon={iconOf(object)} text={lastSegment(object.path)} />,
              isBranch: isFolder(object),
            }))
          }
          empty={<Empty title="The workspace is empty" command={EXAMPLE} />}
        />
      }
      detail={open === undefined ? undefined : <ObjectDetail key={open} path={open} />}
    />
  );
}

const EXAMPLE = `${CURL} ${location.origin}/api/2.0/workspace/mkdirs -H "Authorization: Bearer $(npx cloudjar token)" \\
  -d '{"path":"/Shared/etl"}'`;
