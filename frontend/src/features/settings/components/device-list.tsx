import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { errorMessage } from '../../../api/api-error';
import { formatDate } from '../../../lib/format';
import { IconDevice } from '../../../ui/icons';
import { RelativeTime } from '../../../ui/relative-time';
import { SectionError } from '../../../ui/section-error';
import { RowSkeletons, Waiting } from '../../../ui/skeletons';
import { SubmitButton } from '../../../ui/submit-button';
import { Tag } from '../../../ui/tag';
import { useToast } from '../../../ui/toast';
import { useDevices, useEndDevice, useEndOtherDevices, type Device } from '../api';
import { messages } from '../messages';

/** Where the person is signed in; any other device can be signed out, or all of them. */
export function DeviceList() {
  const { data: devices, error, isFetching, refetch } = useDevices();
  const [endOthers, isEnding] = useEndOtherDevices();
  const toast = useToast();
  if (error) return <SectionError message={messages.devicesFailed} pending={isFetching} onRetry={() => void refetch()} />;
  if (!devices) {
    return (
      <Waiting label="Loading devices">
        <RowSkeletons count={2} height={60} />
      </Waiting>
    );
  }
  const others = devices.filter((device) => !device.current).length;
  const signOutOthers = async () => {
    try {
      await endOthers();
      toast({ title: messages.signedOut, description: messages.othersSignedOut, variant: 'success' });
    } catch (fault) {
      toast({ title: messages.signOutFailed, description: errorMessage(fault, messages.tryAgain), variant: 'destructive' });
    }
  };
  return (
    <>
      <Box component="ul" sx={{ m: 0, p: 0, listStyle: 'none', display: 'grid', gap: 2 }}>
        {devices.map((device) => (
          <Row key={device.id} device={device} />
        ))}
      </Box>
      {others > 0 && (
        <SubmitButton type="button" variant="outlined" color="inherit" sx={{ justifySelf: 'start' }} pending={isEnding} onClick={() => void signOutOthers()}>
          Sign out all other devices
        </SubmitButton>
      )}
    </>
  );
}

function Row({ device }: { device: Device }) {
  const [end] = useEndDevice();
  const [pending, setPending] = useState(false);
  const toast = useToast();
  const signOut = async () => {
    setPending(true);
    try {
      await end(device.id);
      toast({ title: messages.signedOut, description: device.device, variant: 'success' });
    } catch (error) {
      toast({ title: messages.signOutFailed, description: errorMessage(error, messages.tryAgain), variant: 'destructive' });
    } finally {
      setPending(false);
    }
  };
  return (
    <Box component="li" sx={{ display: 'flex', gap: 1.5, alignItems: 'flex-start' }}>
      <Box sx={{ p: 1, borderRadius: 2, bgcolor: 'surface.raised', color: 'text.secondary' }}>
        <IconDevice size={18} aria-hidden />
      </Box>
      <Box sx={{ flex: 1, minWidth: 0 }}>
        <Box sx={{ display: 'flex', gap: 1, alignItems: 'center', flexWrap: 'wrap' }}>
          <Typography sx={{ fontWeight: 580, overflowWrap: 'anywhere' }}>{device.device}</Typography>
          {device.current && <Tag accent>This device</Tag>}
        </Box>
        <Typography variant="body2" color="textSecondary">
          {device.ipAddress && (
            <>
              <Typography component="span" variant="mono">
                {device.ipAddress}
              </Typography>
              {' · '}
            </>
          )}
          Last used <RelativeTime iso={device.lastSeenAt} /> · Signed in {formatDate(device.createdAt)}
        </Typography>
      </Box>
      {!device.current && (
        <Button size="small" variant="outlined" color="inherit" loading={pending} aria-label={`Sign out ${device.device}`} onClick={() => void signOut()}>
          Sign out
        </Button>
      )}
    </Box>
  );
}
