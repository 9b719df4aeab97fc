import type { Books } from '../../records/books.ts';
import type { Row } from '../../records/row.ts';
import { refusal } from '../refuse.ts';
import type { Dimension } from './general-ledger.ts';

/** Dimensions of a posting: those of the document, and defaults of its party. */
export async function dimensionsOf(books: Books, document: Row, party?: Row): Promise<Dimension[]> {
  const defaults = party ? await books.list('defaultDimension', { parentId: party.id }) : [];
  const chosen = new Map<string, string>();
  for (const line of defaults) {
    if (line.text('dimensionValueCode') !== '') chosen.set(line.text('dimensionCode'), line.text('dimensionValueCode'));
  }
  for (const line of await books.list('dimensionSetLine', { parentId: document.id })) {
    chosen.set(line.text('code'), line.text('valueCode'));
  }
  for (const line of defaults) requireValid(line, chosen.get(line.text('dimensionCode')), party as Row);
  return [...chosen].map(([code, valueCode]) => ({ code, valueCode }));
}

/** Checks of a default dimension on all postings of its record, by its rule. */
const DEMANDS: Readonly<Record<string, (value: string | undefined, wanted: string) => string | undefined>> = {
  'Code Mandatory': (value) => (value === undefined ? 'Select a value' : undefined),
  'Same Code': (value, wanted) => ((value ?? '') === wanted ? undefined : `The value must be '${wanted}'`),
  'No Code': (value) => (value === undefined ? undefined : 'There must be none'),
};

function requireValid(line: Row, value: string | undefined, party: Row): void {
  const problem = DEMANDS[line.text('postingValidation')]?.(value, line.text('dimensionValueCode'));
  if (problem === undefined) return;
  const dimension = line.text('dimensionCode');
  throw refusal(
    `${problem} for the dimension ${dimension} for ${party.table.caption} ${party.text('number')}.`,
    dimension,
  );
}
