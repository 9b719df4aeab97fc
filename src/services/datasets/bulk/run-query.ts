import { Type } from 'typebox';
import { routeCode } from '../jar.ts';
import type { ScalarType } from '../language/scalar/types.ts';
import { shownRows } from '../queries/answer.ts';
import { type Answered, refuseStreaming, runQuery } from '../queries/run.ts';
import { findAnyDataset } from './find.ts';

/** Named as the data types of columns. A computed query column can also have values of several types. */
const TYPES: Readonly<Record<ScalarType, string>> = {
  int: 'Int64',
  decimal: 'Decimal',
  double: 'Double',
  boolean: 'Boolean',
  date: 'DateTime',
  text: 'String',
  blank: 'Blank',
  variant: 'Variant',
};

/** A query by the administrator: the limit of queries per minute does not apply, and the response includes the columns of the result. */
export const queryDataset = routeCode(['dataset'], {
  body: Type.Object({ query: Type.String() }),
  responses: { 200: 'The columns and rows of the first table that the query evaluates' },
  async handle({ jar, params, body }) {
    const dataset = await findAnyDataset(jar, params.dataset);
    refuseStreaming(dataset);
    return {
      status: 200,
      headers: { 'content-type': 'application/json; charset=utf-8' },
      body: await runQuery(jar, dataset, body.query, answerText),
    };
  },
});

/** Written as text, because numbers can have more digits than JavaScript numbers keep. */
function answerText({ compiled, selected }: Answered): string {
  const { text, cut, further } = shownRows({ compiled, selected, includeNulls: true });
  const columns = compiled.columns.map(({ key, type }) => ({ name: key, type: TYPES[type] }));
  const notes = [cut, further].filter((note) => note !== undefined);
  return `{"columns":${JSON.stringify(columns)},"rows":${text},"notes":${JSON.stringify(notes)}}`;
}
