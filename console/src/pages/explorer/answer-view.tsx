import { Link } from 'wouter';
import { addressOf } from '../../shared/address.ts';
import { bytes, milliseconds } from '../../shared/format/numbers.ts';
import { Badge, toneOfStatus } from '../../shared/ui/badge.tsx';
import { JsonView } from '../../shared/ui/json-view.tsx';
import { Row, Section, Soft } from '../../shared/ui/layout.tsx';
import { Table } from '../../shared/ui/table.tsx';
import type { Operation } from './operation.ts';
import type { Answer } from './request.ts';

interface Props {
  readonly answer: Answer;
  /** What the document says about each status. */
  readonly answers: Operation['answers'];
}

/** What the jar answered, and how long that took. */
export function AnswerView({ answer, answers }: Props) {
  const { status, statusText, headers, body, isComplete, ms, clientRequestId } = answer;
  const about = answers.find((each) => each.status === String(status))?.about;
  const filter = encodeURIComponent(`clientRequestId eq '${clientRequestId}'`);
  return (
    <Section
      title="Answer"
      actions={<Link href={`${addressOf('requests')}?filter=${filter}`}>Open it among the requests</Link>}
    >
      <Row>
        <Badge tone={status === 0 ? 'neutral' : toneOfStatus(status)}>
          {status === 0 ? 'a redirect' : `${status} ${statusText}`.trim()}
        </Badge>
        <span>{milliseconds(ms)}</span>
        <span>{bytes(answer.bytes)}</span>
        {!isComplete && <Badge tone="info">still arriving</Badge>}
        {about !== undefined && <Soft>{about}</Soft>}
      </Row>
      {body !== '' && <JsonView value={body} label="Copy the answer" />}
      <Table
        label="Headers of the answer"
        items={headers}
        keyOf={([name]) => name}
        columns={[
          { title: 'Header', cell: ([name]) => name },
          { title: 'Value', cell: ([, value]) => value },
        ]}
      />
    </Section>
  );
}
