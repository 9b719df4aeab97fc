import { Link } from 'wouter';
import { addressOf, useGo } from '../../shared/address.ts';
import { control, dataOf } from '../../shared/api/control.ts';
import { useAction } from '../../shared/api/use-action.ts';
import { useData } from '../../shared/api/use-data.ts';
import { useRemoval } from '../../shared/api/use-removal.ts';
import { CURL } from '../../shared/format/shell.ts';
import { withQuery } from '../../shared/list/pages.ts';
import { useMayChange } from '../../shared/session.ts';
import { Badge } from '../../shared/ui/badge.tsx';
import { Confirm } from '../../shared/ui/confirm.tsx';
import { CopyId } from '../../shared/ui/copy.tsx';
import { Detail } from '../../shared/ui/detail.tsx';
import { JsonView } from '../../shared/ui/json-view.tsx';
import { Facts, Stack } from '../../shared/ui/layout.tsx';
import { CodeBlock, Notice } from '../../shared/ui/notice.tsx';
import { Tabs } from '../../shared/ui/tabs.tsx';
import { kindOf, type ShownSecret } from './applications.tsx';
import { type Application, putSecret, tenantName, useTenants } from './directory.ts';
import { LastSignIns } from './last-sign-ins.tsx';
import { newSecret } from './random.ts';

interface Props {
  readonly id: string;
  readonly after: () => void;
  /** A secret that was made a moment ago. */
  readonly secret: string | undefined;
  readonly show: (secret: ShownSecret) => void;
}

/** One application: how it signs in, where users return to, and its sign-ins. */
export function ApplicationDetail({ id, after, secret, show }: Props) {
  const go = useGo();
  const mayChange = useMayChange();
  const read = useData(
    ['application', id],
    (signal) => dataOf(control.GET('/_jar/applications/{id}', { params: { path: { id } }, signal })),
    { on: ['/_jar/applications'] },
  );
  const renew = useAction(
    async (application: Application) => {
      const made = newSecret();
      await putSecret(application, made);
      return made;
    },
    {
      after: (made) => {
        show({ id, secret: made });
        read.readAgain();
        after();
      },
    },
  );
  const remove = useRemoval(() => control.DELETE('/_jar/applications/{id}', { params: { path: { id } } }), {
    done: 'The application was deleted.',
    after: () => go(addressOf('identity', 'applications'), { keep: true }),
  });
  const { data } = read;
  if (!data)
    return (
      <Detail kind="Application" title={id} failure={read.failure}>
        {null}
      </Detail>
    );
  return (
    <Detail
      kind="Application"
      title={data.displayName}
      failure={read.failure}
      badges={
        <>
          <Badge>{kindOf(data)}</Badge>
          <CopyId id={data.id} length={36} />
        </>
      }
      actions={
        <>
          <Link href={withQuery(addressOf('identity', 'tokens'), { for: data.id })}>Issue a token</Link>
          {mayChange && !data.public && (
            <Confirm
              label="New secret"
              question="Make a new secret? The old one is rejected at once."
              onConfirm={() => void renew.run(data)}
            />
          )}
          {mayChange && (
            <Confirm
              label="Delete"
              question={`Delete ${data.displayName} with its grants?`}
              onConfirm={() => void remove.run()}
            />
          )}
        </>
      }
    >
      {secret !== undefined && (
        <Notice tone="success" title="Copy the secret now: it is not shown again.">
          <CodeBlock text={secret} label="Copy the secret" />
        </Notice>
      )}
      <Tabs
        label="Application"
        tabs={[
          { id: 'summary', title: 'Summary', content: () => <Summary application={data} /> },
          {
            id: 'sign-ins',
            title: 'Sign-ins',
            content: () => (
              <LastSignIns filter={`applicationId eq '${data.id}'`} empty="Nobody has signed in to the application." />
            ),
          },
          { id: 'json', title: 'JSON', content: () => <JsonView value={data} /> },
        ]}
      />
    </Detail>
  );
}

function Summary({ application }: { readonly application: Application }) {
  const {
    id,
    objectId,
    tenantId,
    alias,
    public: isPublic,
    implicit,
    redirectUris,
    hasSecret,
    certificates,
  } = application;
  const tenants = useTenants();
  return (
    <Stack>
      <Facts
        facts={[
          { label: 'Client id', value: <CopyId id={id} length={36} /> },
          { label: 'Object id', value: <CopyId id={objectId} length={36} /> },
          { label: 'Alias', value: alias },
          { label: 'Tenant', value: tenantName(tenants.data, tenantId) },
          !isPublic && { label: 'Secret', value: hasSecret ? 'its own' : 'that of seeded applications' },
          certificates.length > 0 && { label: 'Certificates', value: certificates.join(', ') },
          { label: 'Tokens in redirects', value: implicit ? 'allowed (implicit flow)' : 'not allowed' },
          {
            label: 'Redirect addresses',
            value: redirectUris.length === 0 ? 'none' : redirectUris.map((uri) => <div key={uri}>{uri}</div>),
          },
        ]}
      />
      {!isPublic && (
        <>
          <p>A token for the application itself:</p>
          <CodeBlock text={exampleFor(application)} label="Copy the command" />
        </>
      )}
    </Stack>
  );
}

const exampleFor = ({ id, tenantId }: Application): string =>
  [
    `${CURL} '${location.origin}/${tenantId}/oauth2/v2.0/token'`,
    `  -d grant_type=client_credentials -d client_id=${id}`,
    '  -d client_secret="$CLIENT_SECRET" -d \'scope=https://management.vendor.example/.default\'',
  ].join(' \\\n');
