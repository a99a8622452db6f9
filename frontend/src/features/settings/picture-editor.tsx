import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useRef, useState } from 'react';
import { errorMessage } from '../../api/api-error';
import { client } from '../../api/client';
import { useCurrentUser } from '../../api/session';
import { PersonAvatar } from '../../shared/person-avatar';
import { FileInput } from '../../ui/form/file-input';
import { SubmitButton } from '../../ui/form/submit-button';
import { IconUpload } from '../../ui/icons';
import { useToast } from '../../ui/toast/toast';
import { messages } from './messages';

/** The profile picture. It is cut to a small square before the upload, whatever file was chosen. */
export function PictureEditor() {
  const user = useCurrentUser();
  const [setPicture, { isLoading: isSetting }] = client.useSetAvatarMutation();
  const [remove, { isLoading: isRemoving }] = client.useRemoveAvatarMutation();
  const [isCutting, setCutting] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const toast = useToast();
  const refuse = (description: string) => toast({ title: messages.updateFailed, description, variant: 'destructive' });
  const upload = async (file: File) => {
    setCutting(true);
    const picture = await cutPicture(file).catch(() => null);
    setCutting(false);
    if (!picture) return refuse(messages.pictureUnreadable);
    try {
      await setPicture({ body: picture }).unwrap();
      toast({ title: messages.updated, description: messages.pictureSaved, variant: 'success' });
    } catch (error) {
      refuse(errorMessage(error, messages.tryAgain));
    }
  };
  const drop = async () => {
    try {
      await remove().unwrap();
      toast({ title: messages.updated, description: messages.pictureRemoved, variant: 'success' });
    } catch (error) {
      refuse(errorMessage(error, messages.tryAgain));
    }
  };
  return (
    <Box sx={{ display: 'flex', alignItems: 'center', gap: 2, flexWrap: 'wrap' }}>
      <PersonAvatar person={user} size={72} />
      <Box sx={{ minWidth: 0 }}>
        <Box sx={{ display: 'flex', gap: 1, flexWrap: 'wrap' }}>
          <FileInput
            ref={input}
            label="Profile picture"
            accept="image/png,image/jpeg,image/webp"
            onFile={(file) => void upload(file)}
          />
          <SubmitButton
            type="button"
            variant="outlined"
            color="inherit"
            size="small"
            pending={isCutting || isSetting}
            loadingPosition="start"
            startIcon={<IconUpload size={15} aria-hidden />}
            onClick={() => input.current?.click()}
          >
            {user.profileImageUrl ? 'Change picture' : 'Upload picture'}
          </SubmitButton>
          {user.profileImageUrl && (
            <Button color="inherit" size="small" loading={isRemoving} onClick={() => void drop()}>
              Remove
            </Button>
          )}
        </Box>
        <Typography variant="caption" color="textSecondary" sx={{ display: 'block', mt: 0.75 }}>
          PNG, JPEG or WebP. The middle square is used.
        </Typography>
      </Box>
    </Box>
  );
}

const SIDE_PX = 256;
const JPEG_QUALITY = 0.9;

/**
 * The middle square of a picture, at most 256 px wide, as WebP if the browser can write it.
 * @throws when the picture cannot be read
 */
async function cutPicture(file: Blob): Promise<Blob> {
  const source = await createImageBitmap(file);
  const edge = Math.min(source.width, source.height);
  const side = Math.min(SIDE_PX, edge);
  const canvas = document.createElement('canvas');
  canvas.width = side;
  canvas.height = side;
  const context = canvas.getContext('2d');
  if (!context) throw new Error('The browser gives no canvas');
  context.imageSmoothingQuality = 'high';
  context.drawImage(source, (source.width - edge) / 2, (source.height - edge) / 2, edge, edge, 0, 0, side, side);
  source.close();
  return new Promise((resolve, reject) => {
    canvas.toBlob(
      (blob) => (blob ? resolve(blob) : reject(new Error('The picture could not be written'))),
      'image/webp',
      JPEG_QUALITY,
    );
  });
}
