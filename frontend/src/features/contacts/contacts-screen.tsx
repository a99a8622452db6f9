import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import { Link } from 'react-router-dom';
import { client } from '../../api/client';
import { formatCount } from '../../lib/format';
import { importPath } from '../../lib/routes';
import { useOpenInAddress } from '../../lib/use-address';
import { IconPlus, IconUpload } from '../../ui/icons';
import { Page, PageHeader } from '../../ui/page/page';
import { ContactsTabs } from './contacts-tabs';
import { AddProfileDialog } from './add-profile-dialog';
import { ProfilesGrid } from './profiles-grid';

/** All people that the account knows, each one once. */
export function ContactsScreen() {
  const [opened, open, close] = useOpenInAddress('new');
  const add = () => open('contact');
  return (
    <Page>
      <PageHeader
        title="Contacts"
        description="Everyone you know, once, whatever lists they are on."
        action={
          <>
            <Button
              component={Link}
              to={importPath()}
              variant="outlined"
              color="inherit"
              startIcon={<IconUpload size={16} aria-hidden />}
            >
              Import
            </Button>
            <Button variant="contained" startIcon={<IconPlus size={17} aria-hidden />} onClick={add}>
              Add Contact
            </Button>
          </>
        }
      />
      <ContactsTabs />
      <Preparation />
      <ProfilesGrid onAdd={add} />
      {opened === 'contact' && <AddProfileDialog onClose={close} />}
    </Page>
  );
}

/** Says that older contacts without a profile are still missing here, and how many are done. */
function Preparation() {
  const { data } = client.useGetPreparationQuery();
  if (!data?.preparing) return null;
  return (
    <Alert severity="info" sx={{ mb: 2 }}>
      Preparing your contacts: {formatCount(data.done)} of {formatCount(data.total)}.
    </Alert>
  );
}
