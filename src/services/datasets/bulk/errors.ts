import { errorTable } from '../../../kernel/http/index.ts';

export const bulkErrors = errorTable({
  RowInvalid: [400, '{reason}'],
  NoRows: [400, 'The request has no body; send one JSON object per line, one for each row.'],
  TableNotFound: [404, "The dataset '{dataset}' has no table '{table}'; there is {known}. Names are case-sensitive."],
  DatasetPending: [409, "The dataset '{dataset}' is still being created."],
  SchemaChanged: [409, 'The columns of the table changed while the rows were being stored. Send the rows again.'],
  BatchTooLarge: [413, 'A request has at most {rows} rows and {megabytes} MB. Send the rows in several requests.'],
  RowTooLong: [413, 'Row {number} has more than {megabytes} MB.'],
});
