import type { Row } from '../../records/row.ts';
import { DOCUMENT_KINDS, type DocumentKind } from '../documents/kinds.ts';
import { pdf, type TextLine } from './pdf.ts';
import { listRows, reportRow, type Source } from './rows.ts';

const COLUMNS = [0, 70, 290, 350, 420] as const;

/** A document as a PDF file; available only at its document. */
export async function pdfDocument(source: Source, parent?: Row): Promise<Row[]> {
  const kind = DOCUMENT_KINDS.find(({ header }) => header === parent?.table.name);
  if (!parent || !kind) return [];
  const lines = await listRows(source, kind.lines, { documentId: parent.id });
  const [company] = await listRows(source, 'companyInformation');
  const content = pdf(textOf(kind, parent, lines, company));
  return [
    reportRow(source, 'pdfDocument', parent, {
      parentId: parent.id,
      parentType: kind.caption,
      pdfDocumentContent: content.toString('base64'),
      contentType: 'application/pdf',
    }),
  ];
}

const columns = (...texts: readonly string[]): TextLine =>
  texts.map((text, index) => ({ at: COLUMNS[index] as number, text }));

const amount = (value: number): string => value.toFixed(2);

function textOf(kind: DocumentKind, document: Row, lines: readonly Row[], company: Row | undefined): TextLine[] {
  const { party } = kind;
  const block = party === 'customer' ? 'sellTo' : 'buyFrom';
  const currency = document.text('currencyCode') || company?.text('currencyCode') || '';
  return [
    columns(company?.text('displayName') ?? ''),
    columns(
      `${company?.text('addressLine1') ?? ''}, ${company?.text('postalCode') ?? ''} ${company?.text('city') ?? ''}`,
    ),
    [],
    columns(`${kind.caption} ${document.text('number')}`),
    columns('Date', document.text(kind.date)),
    ...(kind.hasDueDate ? [columns('Due date', document.text('dueDate'))] : []),
    [],
    columns(document.text(`${party}Name`)),
    columns(document.text(`${block}AddressLine1`)),
    columns(`${document.text(`${block}PostCode`)} ${document.text(`${block}City`)}`),
    [],
    columns('No.', 'Description', 'Quantity', 'Price', 'Amount'),
    ...lines.map((line) =>
      columns(
        line.text('lineObjectNumber'),
        line.text('description').slice(0, 40),
        String(line.number('quantity')),
        amount(line.number(kind.price)),
        amount(line.number('amountExcludingTax')),
      ),
    ),
    [],
    columns('', 'Total without tax', '', currency, amount(document.number('totalAmountExcludingTax'))),
    columns('', 'Tax', '', currency, amount(document.number('totalTaxAmount'))),
    columns('', 'Total', '', currency, amount(document.number('totalAmountIncludingTax'))),
  ];
}
