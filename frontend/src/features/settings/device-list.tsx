import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { errorMessage } from '../../api/api-error';
import { client } from '../../api/client';
import type { DeviceSessionDto } from '../../api/endpoints.gen';
import { formatDate } from '../../lib/format';
import { SubmitButton } from '../../ui/form/submit-button';
import { IconDevice } from '../../ui/icons';
import { SectionError } from '../../ui/loading/section-error';
import { RowSkeletons, LoadingRegion } from '../../ui/loading/skeletons';
import { RelativeTime } from '../../ui/relative-time';
import { Tag } from '../../ui/tag';
import { useToast } from '../../ui/toast/toast';
import { messages } from './messages';

/**
 * The devices on which the user is signed in. Every device except this one can be signed out, one by one or all
 * together.
 */
export function DeviceList() {
  const {
    data: devices,
    error,
    isFetching,
    refetch,
  } = client.useListSessionsQuery(undefined, {
    refetchOnMountOrArgChange: true,
  });
  const [endOthers, { isLoading }] = client.useEndOtherSessionsMutation();
  const report = useReport();
  if (error)
    return <SectionError message={messages.devicesFailed} pending={isFetching} onRetry={() => void refetch()} />;
  if (!devices) {
    return (
      <LoadingRegion label="Loading devices">
        <RowSkeletons count={2} height={60} />
      </LoadingRegion>
    );
  }
  const others = devices.filter((device) => !device.current).length;
  return (
    <>
      <Box component="ul" sx={{ m: 0, p: 0, listStyle: 'none', display: 'grid', gap: 2 }}>
        {devices.map((device) => (
          <Row key={device.id} device={device} />
        ))}
      </Box>
      {others > 0 && (
        <SubmitButton
          type="button"
          variant="outlined"
          color="inherit"
          sx={{ justifySelf: 'start' }}
          pending={isLoading}
          onClick={() => void report(endOthers().unwrap(), messages.othersSignedOut)}
        >
          Sign out all other devices
        </SubmitButton>
      )}
    </>
  );
}

/** Shows a toast with the result of a sign-out. */
function useReport() {
  const toast = useToast();
  return async (signOut: Promise<unknown>, signedOut: string) => {
    try {
      await signOut;
      toast({ title: messages.signedOut, description: signedOut, variant: 'success' });
    } catch (error) {
      toast({
        title: messages.signOutFailed,
        description: errorMessage(error, messages.tryAgain),
        variant: 'destructive',
      });
    }
  };
}

function Row({ device }: { device: DeviceSessionDto }) {
  const [end, { isLoading }] = client.useEndSessionMutation();
  const report = useReport();
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
        <Button
          size="small"
          variant="outlined"
          color="inherit"
          loading={isLoading}
          aria-label={`Sign out ${device.device}`}
          onClick={() => void report(end({ id: device.id }).unwrap(), device.device)}
        >
          Sign out
        </Button>
      )}
    </Box>
  );
}
