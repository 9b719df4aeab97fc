import { Link } from 'wouter';
import { addressOf } from '../../shared/address.ts';
import { control, dataOf } from '../../shared/api/control.ts';
import { useData } from '../../shared/api/use-data.ts';
import { Time } from '../../shared/format/time.tsx';
import { literal } from '../../shared/list/filter.ts';
import { FILTER_PARAM } from '../../shared/list/filter-bar.tsx';
import { withQuery } from '../../shared/list/pages.ts';
import { CopyId } from '../../shared/ui/copy.tsx';
import { Detail } from '../../shared/ui/detail.tsx';
import { JsonView } from '../../shared/ui/json-view.tsx';
import { Facts, Stack } from '../../shared/ui/layout.tsx';
import { Notice } from '../../shared/ui/notice.tsx';
import { Tabs } from '../../shared/ui/tabs.tsx';
import type { SignIn } from './directory.ts';
import { adviceFor } from './errors.ts';
import { Outcome } from './outcome.tsx';

/** One sign-in: whether it succeeded, and if not, why not and what to do. */
export function SignInDetail({ id }: { readonly id: string }) {
  const $filter = `id eq ${literal(id)}`;
  const read = useData(['sign-in', id], (signal) =>
    dataOf(control.GET('/_jar/sign-ins', { params: { query: { $filter } }, signal })),
  );
  const signIn = read.data?.value[0];
  if (!signIn)
    return (
      <Detail kind="Sign-in" title={id} failure={read.failure}>
        {read.data && <Notice title="The log does not contain this sign-in any more." />}
      </Detail>
    );
  return (
    <Detail
      kind="Sign-in"
      title={signIn.username ?? signIn.application ?? signIn.applicationId ?? 'Unknown'}
      failure={read.failure}
      badges={<Outcome signIn={signIn} />}
    >
      <Tabs
        label="Sign-in"
        tabs={[
          { id: 'summary', title: 'Summary', content: () => <Summary signIn={signIn} /> },
          { id: 'json', title: 'JSON', content: () => <JsonView value={signIn} /> },
        ]}
      />
    </Detail>
  );
}

function Summary({ signIn }: { readonly signIn: SignIn }) {
  const { at, flow, tenant, userId, username, application, applicationId, resource, scope } = signIn;
  const { address, userAgent, requestId, error } = signIn;
  const request = withQuery(addressOf('requests'), { [FILTER_PARAM]: `requestId eq '${requestId}'` });
  return (
    <Stack>
      {error ? (
        <Notice tone="failure" title={error.message}>
          {adviceFor(error)}
        </Notice>
      ) : (
        <Notice tone="success" title="It succeeded." />
      )}
      <Facts
        facts={[
          { label: 'When', value: <Time at={at} /> },
          { label: 'How', value: flow },
          { label: 'Tenant of the address', value: tenant },
          userId !== undefined && {
            label: 'User',
            value: <Link href={addressOf('identity', 'users', userId)}>{username ?? userId}</Link>,
          },
          applicationId !== undefined && {
            label: 'Application',
            value:
              application === undefined ? (
                applicationId
              ) : (
                <Link href={addressOf('identity', 'applications', applicationId)}>{application}</Link>
              ),
          },
          { label: 'Token for', value: resource },
          { label: 'Scope', value: scope },
          error && { label: 'Error', value: `${error.code} (AADSTS${error.number})` },
          { label: 'From', value: address },
          { label: 'Client', value: userAgent },
          { label: 'Request id', value: <CopyId id={requestId} length={36} /> },
          { label: 'Request', value: <Link href={request}>Show it in the requests</Link> },
        ]}
      />
    </Stack>
  );
}
