import { useSegments } from '../../shared/address.ts';
import { Page } from '../../shared/ui/layout.tsx';
import { Applications } from './applications.tsx';
import { SECTIONS, type Section, Sections } from './sections.tsx';
import { SignIns } from './sign-ins.tsx';
import { Tenants } from './tenants.tsx';
import { Tokens } from './tokens.tsx';
import { Users } from './users.tsx';

/** The directory of the jar: who can sign in, who did, and what their tokens say. */
export default function Identity() {
  const [named, open] = useSegments('identity');
  const section: Section = SECTIONS.find(({ id }) => id === named)?.id ?? 'users';
  return (
    <Page title="Identity" about="Users, applications and their tokens; who signed in, and why not." isFull>
      <Sections current={section} />
      <Content section={section} open={open} />
    </Page>
  );
}

function Content({ section, open }: { readonly section: Section; readonly open: string | undefined }) {
  switch (section) {
    case 'users':
      return <Users open={open} />;
    case 'applications':
      return <Applications open={open} />;
    case 'sign-ins':
      return <SignIns open={open} />;
    case 'tokens':
      return <Tokens />;
    default:
      return <Tenants />;
  }
}
