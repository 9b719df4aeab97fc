import { useAddressParam } from '../../shared/address.ts';
import { SeriesChart } from '../../shared/chart/series-chart.tsx';
import { counted } from '../../shared/format/numbers.ts';
import { Select } from '../../shared/ui/field.tsx';
import { Row, Soft, Stack } from '../../shared/ui/layout.tsx';
import { isNumeric, type QueryResult, type Value } from './api.ts';
import styles from './result-chart.module.css';

/** A result as lines over dates or numbers, or as bars by the values of a text column. */
export function ResultChart({ result: { columns, rows } }: { readonly result: QueryResult }) {
  const [by, setBy] = useAddressParam('x');
  const [of, setOf] = useAddressParam('y');
  const numbers = columns.filter(({ type }) => isNumeric(type));
  const x = columns.find(({ name }) => name === by) ?? columns.find(({ type }) => !isNumeric(type)) ?? columns[0];
  const others = numbers.filter(({ name }) => name !== x?.name);
  const y = others.find(({ name }) => name === of) ?? others[0];
  if (!x || !y) return <Soft>A chart needs a column of numbers and a column beside it.</Soft>;
  const isLine = isNumeric(x.type) || x.type === 'DateTime';
  return (
    <Stack>
      <Row align="end">
        <Select label="By" value={x.name} onChange={setBy} choices={columns.map(choiceOf)} />
        <Select label="Value" value={y.name} onChange={setOf} choices={others.map(choiceOf)} />
      </Row>
      {isLine ? (
        <Lines x={x} y={y} rows={rows} />
      ) : (
        <Bars items={rows.map((row) => ({ name: nameOf(row[x.name]), value: Number(row[y.name] ?? 0) }))} />
      )}
    </Stack>
  );
}

type Columns = QueryResult['columns'][number];

const choiceOf = ({ name }: Columns) => ({ value: name, label: name });
const nameOf = (value: Value | undefined): string => (value === null || value === undefined ? 'blank' : String(value));

interface LinesProps {
  readonly x: Columns;
  readonly y: Columns;
  readonly rows: QueryResult['rows'];
}

function Lines({ x, y, rows }: LinesProps) {
  const isTime = x.type === 'DateTime';
  const points = rows
    .map((row) => ({
      at: isTime ? Date.parse(`${row[x.name]}Z`) : Number(row[x.name] ?? Number.NaN),
      value: row[y.name],
    }))
    .filter(({ at }) => !Number.isNaN(at))
    .toSorted((a, b) => a.at - b.at);
  return (
    <SeriesChart
      label={`${y.name} by ${x.name}`}
      at={points.map(({ at }) => at)}
      series={[{ label: y.name, values: points.map(({ value }) => (value === null ? null : Number(value))) }]}
      isTime={isTime}
      format={written}
      height={260}
    />
  );
}

const MOST_BARS = 50;
const WIDTH = 1000;

function Bars({ items }: { readonly items: readonly { readonly name: string; readonly value: number }[] }) {
  const shown = items.slice(0, MOST_BARS);
  const values = shown.map(({ value }) => value);
  const low = Math.min(0, ...values);
  const span = Math.max(0, ...values) - low || 1;
  const place = (value: number): number => ((value - low) / span) * WIDTH;
  return (
    <Stack>
      <ul className={styles.bars} aria-label="Values">
        {shown.map(({ name, value }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows of a result have no key
          <li key={index} className={styles.bar}>
            <span className={styles.name} title={name}>
              {name}
            </span>
            <svg viewBox={`0 0 ${WIDTH} 14`} preserveAspectRatio="none" aria-hidden>
              <rect
                className={styles.fill}
                x={Math.min(place(0), place(value))}
                width={Math.max(2, Math.abs(place(value) - place(0)))}
                height="14"
                rx="2"
              />
            </svg>
            <span className={styles.value}>{written(value)}</span>
          </li>
        ))}
      </ul>
      {items.length > MOST_BARS && <Soft>The first {counted(MOST_BARS, 'row')} of the result.</Soft>}
    </Stack>
  );
}

const short = new Intl.NumberFormat('en', { maximumFractionDigits: 2 });
const written = (value: number): string => short.format(value);
