import { useState } from 'react';
import { useGo, useSegments } from '../../shared/address.ts';
import { control, dataOf } from '../../shared/api/control.ts';
import { Failure } from '../../shared/api/failure.ts';
import { askService } from '../../shared/api/service.ts';
import { useAction } from '../../shared/api/use-action.ts';
import { useData } from '../../shared/api/use-data.ts';
import { useNow } from '../../shared/format/now.tsx';
import { literal } from '../../shared/list/filter.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Dialog } from '../../shared/ui/dialog.tsx';
import { Select, TextField } from '../../shared/ui/field.tsx';
import { Row } from '../../shared/ui/layout.tsx';
import { Empty, FailureNotice } from '../../shared/ui/notice.tsx';
import { isSameId, type Subscription, type Topic, traceAddress, useTopics, VERSION, type Verdict } from './api.ts';
import { exampleFor, idOf, type Mapping, questionOf } from './examples.ts';
import { Verdicts } from './verdicts.tsx';

/** Publishes a test event to a topic, by the same call as a program does. */
export function Publish({ close }: { readonly close: () => void }) {
  const topics = useTopics();
  const [, shown] = useSegments('events');
  const [chosen, choose] = useState(shown);
  const targets = topics.data?.filter(({ kind }) => kind === 'topic' || kind === 'domain') ?? [];
  const topic = targets.find(({ id }) => chosen !== undefined && isSameId(id, chosen)) ?? targets[0];
  return (
    <Dialog title="Publish a test event" close={close}>
      <FailureNotice failure={topics.failure} what="The topics" />
      {topics.data && targets.length === 0 && (
        <Empty title="Create a topic first">An event is published to a topic or a domain.</Empty>
      )}
      {topic && (
        <>
          <Select
            label="Topic"
            value={topic.id}
            onChange={choose}
            choices={targets.map(({ id, name, kind, location = '' }) => ({
              value: id,
              label: `${name} (${kind}, ${location})`,
            }))}
          />
          <WithExample key={topic.id} topic={topic} close={close} />
        </>
      )}
    </Dialog>
  );
}

interface Props {
  readonly topic: Topic;
  readonly close: () => void;
}

/** The example follows from the subscriptions of the topic and its schema, which are read first. */
function WithExample({ topic, close }: Props) {
  const { now } = useNow();
  const needs = useData(['events', 'example', topic.id], async (signal): Promise<Needs> => {
    const query = { $filter: `topic eq ${literal(topic.id)}`, $top: 1 };
    const [{ value }, { body }] = await Promise.all([
      dataOf(control.GET('/_jar/events/subscriptions', { params: { query }, signal })),
      askService<TopicResource>(`${topic.id}?${VERSION}`, { signal }),
    ]);
    return { match: value[0], mapping: body.properties.inputSchemaMapping?.properties };
  });
  if (!needs.data) return <FailureNotice failure={needs.failure} what="The topic" />;
  const { mapping, match } = needs.data;
  const at = new Date(now).toISOString();
  const example = exampleFor({ topic, mapping, match, id: `test-${at.slice(11, 23).replace(/\D/g, '')}`, now: at });
  return <EventForm topic={topic} mapping={mapping} example={JSON.stringify(example, null, 2)} close={close} />;
}

interface TopicResource {
  readonly properties: { readonly inputSchemaMapping?: { readonly properties?: Mapping } };
}

interface Needs {
  readonly match: Subscription | undefined;
  readonly mapping: Mapping | undefined;
}

interface FormProps extends Props {
  readonly mapping: Mapping | undefined;
  readonly example: string;
}

function EventForm({ topic, mapping, example, close }: FormProps) {
  const go = useGo();
  const [text, setText] = useState(example);
  const publish = useAction(
    async () => {
      const event = parsed(text);
      await askService(pathOf(topic), {
        method: 'POST',
        body: JSON.stringify(isCloud(topic) ? event : [event]),
        headers: { 'content-type': isCloud(topic) ? 'application/cloudevents+json' : 'application/json' },
      });
      const eventId = idOf(event, mapping);
      const query = { $top: 1, ...(eventId !== undefined && { eventId }) };
      return (await dataOf(control.GET('/_jar/events/traces', { params: { query } }))).value[0];
    },
    {
      inline: true,
      done: 'The event was published.',
      after: (trace) => {
        close();
        if (trace) go(traceAddress(trace.id));
      },
    },
  );
  const [verdicts, setVerdicts] = useState<readonly Verdict[]>();
  const explain = useAction(
    async () =>
      (await dataOf(control.POST('/_jar/events/explain', { body: questionOf(topic, parsed(text)) }))).subscriptions,
    { inline: true, after: setVerdicts },
  );
  return (
    <>
      <TextField
        label={`Event, in the schema ${topic.inputSchema ?? 'EventGridSchema'}`}
        value={text}
        onChange={setText}
        rows={14}
        isMono
        error={(publish.failure ?? explain.failure)?.message}
        onEnter={() => void publish.run()}
      />
      <Row>
        <Button look="main" isDisabled={publish.isRunning} onPress={() => void publish.run()}>
          Publish
        </Button>
        {topic.inputSchema !== 'CustomEventSchema' && (
          <Button isDisabled={explain.isRunning} onPress={() => void explain.run()}>
            Who would match?
          </Button>
        )}
      </Row>
      {verdicts && <Verdicts verdicts={verdicts} />}
    </>
  );
}

const isCloud = ({ inputSchema }: Topic): boolean => inputSchema === 'CloudEventSchemaV1_0';

/** The address is of the name by which the jar was reached. */
const pathOf = ({ endpoint = '' }: Topic): string => new URL(endpoint).pathname;

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Failure(0, 'NotJson', `This is no JSON: ${error instanceof Error ? error.message : ''}`);
  }
}
