import { Play } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useAddressParam } from '../../shared/address.ts';
import type { Failure } from '../../shared/api/failure.ts';
import { useData } from '../../shared/api/use-data.ts';
import { counted } from '../../shared/format/numbers.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Switch } from '../../shared/ui/field.tsx';
import { Row, Soft, Stack } from '../../shared/ui/layout.tsx';
import { Notice } from '../../shared/ui/notice.tsx';
import { Tabs } from '../../shared/ui/tabs.tsx';
import { type Dataset, isNumeric, type QueryResult, runQuery, type Table } from './api.ts';
import { type Place, QueryEditor } from './query-editor.tsx';
import { ResultChart } from './result-chart.tsx';
import { RowGrid } from './row-grid.tsx';

interface Props {
  readonly dataset: Dataset;
  readonly tables: readonly Table[];
}

/** A query in the analytics expression language; the query is in the address, so a link shows its result. */
export function Query({ dataset, tables }: Props) {
  const [asked, ask] = useAddressParam('q');
  const [follows, follow] = useAddressParam('follow');
  const [text, setText] = useState(asked ?? examplesOf(tables)[0]?.query ?? '');
  useEffect(() => {
    if (asked !== undefined) setText(asked);
  }, [asked]);
  const isLive = follows !== undefined;
  const result = useData(
    ['datasets', 'query', dataset.id, asked],
    (signal) => runQuery(dataset.id, asked ?? '', signal),
    { enabled: asked !== undefined, keepPrevious: true, on: isLive ? ['changes', 'work', 'clock'] : [] },
  );
  if (dataset.mode === 'Streaming')
    return (
      <Notice title="A streaming dataset has no rows to query.">
        It keeps rows for an hour for live tiles only. Create a dataset with the mode PushStreaming to query its rows.
      </Notice>
    );
  const run = (): void => (text === asked ? result.readAgain() : ask(text));
  const failure = asked === text ? result.failure : undefined;
  const place = placeOf(failure);
  return (
    <Stack>
      <Row>
        {examplesOf(tables).map(({ title, query }) => (
          <Button
            key={title}
            look="quiet"
            onPress={() => {
              setText(query);
              ask(query);
            }}
          >
            {title}
          </Button>
        ))}
      </Row>
      <QueryEditor
        text={text}
        onChange={setText}
        onRun={run}
        place={place}
        error={failure?.message.replace(/^Query \(\d+, \d+\) /, '')}
      />
      <Row>
        <Button look="main" onPress={run} isDisabled={text.trim() === ''}>
          <Play size={14} aria-hidden /> Run
        </Button>
        <Switch
          label="Run again when rows arrive"
          isSelected={isLive}
          onChange={(isOn) => follow(isOn ? 'yes' : undefined)}
        />
        <Soft>Ctrl Enter runs the query.</Soft>
      </Row>
      {result.data && <Result result={result.data} isStale={result.isStale} />}
    </Stack>
  );
}

const FIRST = 200;

function Result({ result, isStale }: { readonly result: QueryResult; readonly isStale: boolean }) {
  const { columns, rows, notes } = result;
  const [shown, show] = useState(FIRST);
  const first = rows.slice(0, shown);
  return (
    <Stack>
      {notes.map((note) => (
        <Notice key={note} tone="warning" title={note} />
      ))}
      <Tabs
        label="Result"
        param="view"
        tabs={[
          {
            id: 'table',
            title: `Table (${counted(rows.length, 'row')})`,
            content: () => (
              <Stack>
                <RowGrid
                  label="Result"
                  columns={columns}
                  rows={first}
                  keyOf={(_, index) => index}
                  cellOf={(row, column) => row[column]}
                  isStale={isStale}
                />
                {first.length < rows.length && (
                  <Row>
                    <Soft>
                      The first {counted(first.length, 'row')} of {counted(rows.length, 'row')}
                    </Soft>
                    <Button onPress={() => show(shown * 2)}>Show more</Button>
                  </Row>
                )}
              </Stack>
            ),
          },
          { id: 'chart', title: 'Chart', content: () => <ResultChart result={result} /> },
        ]}
      />
    </Stack>
  );
}

/** The target of an error in a query is its line and column. */
function placeOf(failure: Failure | undefined): Place | undefined {
  const [, line, column] = failure?.target?.match(/^(\d+):(\d+)$/) ?? [];
  return line === undefined ? undefined : { line: Number(line), column: Number(column) };
}

const quoted = (name: string): string => `'${name.replaceAll("'", "''")}'`;
const bracketed = (name: string): string => `[${name.replaceAll(']', ']]')}]`;

/** Queries over the tables that exist, to begin with. */
function examplesOf(tables: readonly Table[]): readonly { readonly title: string; readonly query: string }[] {
  const table = tables.find(({ rows }) => rows > 0) ?? tables[0];
  if (!table) return [];
  const name = quoted(table.name);
  const examples = [{ title: `Rows of ${table.name}`, query: `EVALUATE TOPN(100, ${name})` }];
  const group = table.columns.find(({ dataType }) => dataType === 'String');
  const number = table.columns.find(({ dataType }) => isNumeric(dataType));
  const [measure] = table.measures;
  const value = measure ? bracketed(measure.name) : number && `SUM(${name}${bracketed(number.name)})`;
  if (group && value !== undefined) {
    const by = `${name}${bracketed(group.name)}`;
    examples.push({
      title: `${measure?.name ?? `Sum of ${number?.name}`} by ${group.name}`,
      query: `EVALUATE\n  SUMMARIZECOLUMNS(${by}, "${measure?.name ?? 'total'}", ${value})\nORDER BY ${by}`,
    });
  }
  examples.push({ title: 'Number of rows', query: `EVALUATE\n  ROW("rows", COUNTROWS(${name}))` });
  return examples;
}
