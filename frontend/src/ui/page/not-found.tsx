import Button from '@mui/material/Button';
import { Link as RouterLink } from 'react-router-dom';
import { routes } from '../../lib/routes';
import { IconQuestion } from '../icons';
import { ResultPage } from './public-page';

/** Shown when the URL has no screen, or its item does not exist for this person. */
export function NotFound({ signedIn }: { signedIn: boolean }) {
  return (
    <ResultPage
      icon={IconQuestion}
      title="404 Page Not Found"
      text="There is nothing at this address. The link may be old, or mistyped."
    >
      <Button component={RouterLink} to={routes.home.path} variant="contained">
        {signedIn ? 'Back to dashboard' : 'Back to home'}
      </Button>
    </ResultPage>
  );
}
