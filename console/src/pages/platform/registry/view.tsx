import { addressOf, useAddressParam, useSegments } from '../../../shared/address.ts';
import { CURL } from '../../../shared/format/shell.ts';
import { Time } from '../../../shared/format/time.tsx';
import { Explorer } from '../../../shared/list/explorer.tsx';
import { FilterBar, useFilter } from '../../../shared/list/filter-bar.tsx';
import { type Column, List, ORDER_PARAM } from '../../../shared/list/list.tsx';
import { Badge } from '../../../shared/ui/badge.tsx';
import { Row } from '../../../shared/ui/layout.tsx';
import { Empty } from '../../../shared/ui/notice.tsx';
import { MLFLOW, searchOf, TRACKING_CHANGE } from '../experiments/api.ts';
import { withFilterFailure } from '../filter-failure.ts';
import { usePlatformRows } from '../use-platform-rows.ts';
import { type ModelPage, type RegisteredModel, STAGE_TONES } from './api.ts';
import { ModelDetail } from './model-detail.tsx';

const keyOf = ({ name }: RegisteredModel): string => name;

const COLUMNS: readonly Column<RegisteredModel>[] = [
  { id: 'name', title: 'Model', width: 'minmax(8rem, 2fr)', order: 'name', cell: keyOf },
  { id: 'stages', title: 'Newest versions', width: 'minmax(8rem, 2fr)', cell: (model) => <Newest model={model} /> },
  { id: 'by', title: 'Created by', width: 'minmax(6rem, 1fr)', isExtra: true, cell: ({ user_id }) => user_id },
  {
    id: 'changed',
    title: 'Changed',
    width: '7rem',
    order: 'last_updated_timestamp',
    isExtra: true,
    cell: ({ last_updated_timestamp }) => <Time at={last_updated_timestamp} />,
  },
];

function Newest({ model: { latest_versions: newest = [] } }: { readonly model: RegisteredModel }) {
  return (
    <Row>
      {newest.map(({ version, current_stage: stage }) => (
        <Badge key={version} tone={STAGE_TONES[stage]}>
          {version}
          {stage === 'None' ? '' : ` ${stage}`}
        </Badge>
      ))}
    </Row>
  );
}

/** The models of the workspace's registry. Those of the catalog are in its tree. */
export default function Registry() {
  const [, open] = useSegments('platform');
  const { text } = useFilter();
  const [order] = useAddressParam(ORDER_PARAM);
  const filter = searchOf(text, 'name');
  const found = usePlatformRows<ModelPage, RegisteredModel>(`${MLFLOW}/registered-models/search`, {
    query: { max_results: 100, filter, order_by: order },
    rowsOf: ({ registered_models }) => registered_models,
    keyOf,
    on: TRACKING_CHANGE,
    follow: true,
  });
  const rows = withFilterFailure(found, filter);
  const list = (
    <>
      <FilterBar placeholder="Name, or a search: tags.team = 'a'" failure={rows.failure} />
      <List
        label="Models"
        source={rows}
        keyOf={keyOf}
        columns={COLUMNS}
        addressOf={(model) => addressOf('platform', 'registry', keyOf(model))}
        open={open}
        empty={
          filter === undefined ? (
            <Empty title="There is no registered model yet" command={EXAMPLE}>
              A registered model has versions, which move from stage to stage.
            </Empty>
          ) : (
            <Empty title="No model matches the filter" />
          )
        }
      />
    </>
  );
  return (
    <Explorer
      label="Model"
      closed={addressOf('platform', 'registry')}
      list={list}
      detail={open === undefined ? undefined : <ModelDetail key={open} name={open} />}
    />
  );
}

const EXAMPLE = `${CURL} ${location.origin}/api/2.0/mlflow/registered-models/create \\
  -H "Authorization: Bearer $(npx cloudjar token)" -d '{"name":"churn"}'`;
