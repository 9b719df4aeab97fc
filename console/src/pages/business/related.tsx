import { Link } from 'wouter';
import { useServiceRows } from '../../shared/list/use-rows.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Section, Stack } from '../../shared/ui/layout.tsx';
import { FailureNotice } from '../../shared/ui/notice.tsx';
import { Table } from '../../shared/ui/table.tsx';
import { type BusinessRecord, recordAddress, useModel, WRITTEN } from './api.ts';
import { columnsOf, Value } from './columns.tsx';
import { type EntitySet, titleOf } from './metadata.ts';

interface Props {
  readonly api: string;
  readonly company: string;
  readonly set: EntitySet;
  /** Of the record. */
  readonly path: string;
}

/** The records that belong to a record: lines, dimensions, attachments. */
export function Related({ api, company, set, path }: Props) {
  const model = useModel(api);
  const sets = [...(model.data?.sets.values() ?? [])];
  return (
    <Stack>
      <FailureNotice failure={model.failure} what="The sets" />
      {set.related.map(({ name, entity }) => {
        const target = sets.find((each) => each.entity === entity);
        return target && <OneSet key={name} name={name} api={api} company={company} set={target} path={path} />;
      })}
    </Stack>
  );
}

const PAGE = { headers: { prefer: 'odata.maxpagesize=50' } } as const;
const MOST_COLUMNS = 5;

function OneSet({ name, api, company, set, path }: Props & { readonly name: string }) {
  const keyOf = (row: BusinessRecord): string => String(row[set.key]);
  const rows = useServiceRows<BusinessRecord>(`${path}/${name}`, { request: PAGE, keyOf, on: WRITTEN, follow: true });
  return (
    <Section title={titleOf(name)}>
      <FailureNotice failure={rows.failure} what={titleOf(name)} />
      <Table
        label={titleOf(name)}
        items={rows.rows}
        keyOf={keyOf}
        empty="None."
        columns={columnsOf(set, undefined)
          .slice(0, MOST_COLUMNS)
          .map((property, index) => ({
            title: titleOf(property.name),
            cell: (row: BusinessRecord) => {
              const value = <Value of={row} property={property} />;
              return index === 0 ? (
                <Link href={recordAddress(api, company, set.name, keyOf(row))}>{value}</Link>
              ) : (
                value
              );
            },
          }))}
      />
      {rows.hasMore && <Button onPress={() => rows.loadMore()}>Show more</Button>}
    </Section>
  );
}
