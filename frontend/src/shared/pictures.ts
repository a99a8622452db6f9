import { useMemo } from 'react';
import { errorMessage } from '../api/api-error';
import { client } from '../api/client';
import type { PictureTools } from '../ui/editor/pictures/picture-tools';

/** The generated call takes no form. */
const files = client.injectEndpoints({
  endpoints: (build) => ({
    uploadPicture: build.mutation<{ id: string; url: string }, { picture: Blob; name: string }>({
      query: ({ picture, name }) => {
        const body = new FormData();
        body.set('kind', 'image');
        body.set('file', picture, name);
        return { url: '/api/files', method: 'POST', body };
      },
      invalidatesTags: (_result, error) => (error ? [] : ['Files']),
    }),
  }),
});

const PICTURES = { kind: 'image' } as const;
const FAILED = 'The picture could not be uploaded. Please try again.';

/** The pictures of the person's messages: where each is, and the upload of another. */
export function usePictureTools(): PictureTools {
  const { data } = client.useListFilesQuery(PICTURES);
  const [upload] = files.useUploadPictureMutation();
  return useMemo(() => {
    const urls = new Map(data?.rows.map(({ id, url }) => [id, pathOf(url!)]));
    return {
      urlOf: (fileId) => urls.get(fileId) ?? '',
      upload: async (picture, name) => {
        try {
          const { id, url } = await upload({ picture, name }).unwrap();
          return { fileId: id, url: pathOf(url) };
        } catch (error) {
          throw new Error(errorMessage(error, FAILED), { cause: error });
        }
      },
    };
  }, [data, upload]);
}

/** The same picture from the address that this page has, whatever name the mails call it by. */
const pathOf = (url: string): string => new URL(url, window.location.origin).pathname;
