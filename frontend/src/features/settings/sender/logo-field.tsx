import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useRef, useState, type ReactNode } from 'react';
import { FileInput } from '../../../ui/form/file-input';
import { SubmitButton } from '../../../ui/form/submit-button';
import { IconUpload } from '../../../ui/icons';
import type { PictureTools } from '../../../ui/editor/pictures/picture-tools';
import { shrinkPicture } from '../../../ui/editor/pictures/shrink-picture';
import { useToast } from '../../../ui/toast/toast';
import { messages } from '../messages';

interface LogoFieldProps {
  fileId: string | null;
  pictures: PictureTools;
  onChange: (fileId: string | null, showLogo: boolean) => void;
  /** Further controls beside the buttons. */
  children: ReactNode;
}

/** The logo at the top of the sender's emails. A chosen file is uploaded at once and used from the next save on. */
export function LogoField({ fileId, pictures, onChange, children }: LogoFieldProps) {
  const input = useRef<HTMLInputElement>(null);
  const [isUploading, setUploading] = useState(false);
  const toast = useToast();
  const upload = async (file: File) => {
    setUploading(true);
    try {
      const { blob } = await shrinkPicture(file).catch(() => Promise.reject(new Error(messages.logoUnreadable)));
      onChange((await pictures.upload(blob, file.name)).fileId, true);
    } catch (error) {
      const description = error instanceof Error ? error.message : messages.tryAgain;
      toast({ title: messages.updateFailed, description, variant: 'destructive' });
    }
    setUploading(false);
  };
  const url = fileId ? pictures.urlOf(fileId) : '';
  return (
    <Box>
      {url && (
        <Box
          component="img"
          src={url}
          alt="Your logo"
          sx={{
            display: 'block',
            maxWidth: 220,
            maxHeight: 72,
            mb: 1.5,
            p: 1,
            // White in both schemes of this page, like the sheet in a mail.
            bgcolor: 'common.white',
            border: 1,
            borderColor: 'divider',
            borderRadius: 1,
          }}
        />
      )}
      <Box sx={{ display: 'flex', gap: 1, flexWrap: 'wrap', alignItems: 'center' }}>
        <FileInput ref={input} label="Logo" accept="image/png,image/jpeg" onFile={(file) => void upload(file)} />
        <SubmitButton
          type="button"
          variant="outlined"
          color="inherit"
          size="small"
          pending={isUploading}
          loadingPosition="start"
          startIcon={<IconUpload size={15} aria-hidden />}
          onClick={() => input.current?.click()}
        >
          {fileId ? 'Change logo' : 'Upload logo'}
        </SubmitButton>
        {fileId && (
          <Button color="inherit" size="small" onClick={() => onChange(null, false)}>
            Remove
          </Button>
        )}
        {children}
      </Box>
      <Typography variant="caption" color="textSecondary" sx={{ display: 'block', mt: 0.75 }}>
        PNG or JPEG. Without one, the name of your agency stands in its place.
      </Typography>
    </Box>
  );
}
