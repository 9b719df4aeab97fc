import { Time } from '../../../shared/format/time.tsx';
import { StateBadge } from '../../../shared/ui/badge.tsx';
import { CopyId } from '../../../shared/ui/copy.tsx';
import { FailureNotice } from '../../../shared/ui/notice.tsx';
import { Table } from '../../../shared/ui/table.tsx';
import { useChildren } from '../api.ts';
import { textOf } from '../places.ts';

/** Who was invited, and what they answered. */
export function Invitations({ id }: { readonly id: string }) {
  const invitations = useChildren(id, 'invitations');
  return (
    <>
      <FailureNotice failure={invitations.failure} what="The invitations" />
      <Table
        label="Invitations"
        items={invitations.data ?? []}
        keyOf={({ name }) => name}
        empty="Nobody was invited yet."
        columns={[
          { title: 'To', cell: (it) => textOf(it, 'targetEmail') || textOf(it, 'targetObjectId') },
          { title: 'Answer', cell: (it) => <StateBadge state={textOf(it, 'invitationStatus')} /> },
          { title: 'Sent', cell: (it) => <Time at={textOf(it, 'sentAt')} /> },
          { title: 'Answered', cell: (it) => <Time at={textOf(it, 'respondedAt')} /> },
          { title: 'Id', cell: (it) => <CopyId id={textOf(it, 'invitationId')} /> },
        ]}
      />
    </>
  );
}
