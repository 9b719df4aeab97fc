import { bytes } from '../../shared/format/numbers.ts';
import { JsonView } from '../../shared/ui/json-view.tsx';
import { Mono, Soft, Stack } from '../../shared/ui/layout.tsx';
import { Table } from '../../shared/ui/table.tsx';
import { OMITTED, type RequestDocument } from './curl.ts';

type Kept = NonNullable<RequestDocument['request']>;

/** Headers and body of a request or of its answer. Secrets are redacted by the jar. */
export function Message({ message, what }: { readonly message: Kept | undefined; readonly what: string }) {
  if (!message) return <p>Headers and body of the {what} are not kept.</p>;
  const headers = Object.entries(message.headers).flatMap(([name, value]) =>
    [value].flat().map((each) => ({ name, value: each })),
  );
  return (
    <Stack>
      <Table
        label={`Headers of the ${what}`}
        items={headers}
        keyOf={({ name }, index) => `${index} ${name}`}
        columns={[
          { title: 'Header', cell: ({ name }) => name },
          { title: 'Value', cell: ({ value }) => <Mono>{value}</Mono> },
        ]}
        empty="No headers."
      />
      <Body message={message} />
    </Stack>
  );
}

function Body({ message: { body, bodyBytes, bodyCut, bodyOmitted } }: { readonly message: Kept }) {
  if (bodyOmitted !== undefined)
    return (
      <Soft>
        The body{bodyBytes !== undefined && ` of ${bytes(bodyBytes)}`} is not shown: {OMITTED[bodyOmitted]}.
      </Soft>
    );
  if (body === undefined || body === '') return <Soft>No body.</Soft>;
  return (
    <>
      <h3>
        Body{bodyBytes !== undefined && `, ${bytes(bodyBytes)}`}
        {bodyCut && ', of which the beginning is kept'}
      </h3>
      <JsonView value={body} label="Copy the body" />
    </>
  );
}
