import Button from '@mui/material/Button';
import { Link as RouterLink } from 'react-router-dom';
import { useSession } from '../../api/session';
import { routes } from '../../lib/routes';
import { IconQuestion } from '../../ui/icons';
import { Outcome } from '../../ui/outcome';
import { PublicLayout } from '../layouts/public-layout';
import { SignedInLayout } from '../layouts/signed-in-layout';

/** No such address. */
export default function NotFoundRoute() {
  const { user, isLoading } = useSession();
  if (isLoading) return null;
  const Layout = user ? SignedInLayout : PublicLayout;
  return (
    <Layout>
      <Outcome icon={IconQuestion} title="404 Page Not Found" text="There is nothing at this address. The link may be old, or mistyped.">
        <Button component={RouterLink} to={routes.home.path} variant="contained">
          {user ? 'Back to dashboard' : 'Back to home'}
        </Button>
      </Outcome>
    </Layout>
  );
}
