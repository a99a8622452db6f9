import { useMemo } from 'react';
import { errorMessage } from '../api/api-error';
import { client } from '../api/client';
import type { PictureTools } from '../ui/editor/pictures/picture-tools';

/** Defined here because the generated client cannot send forms. */
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

/** Filter for the pictures among the user's files. All calls use this object, so that they share one cached answer. */
export const PICTURE_FILTER = { kind: 'image' } as const;
const UPLOAD_FAILED = 'The picture could not be uploaded. Please try again.';

/** Access to the pictures of the user's messages: their URLs, and the upload of another one. */
export function usePictureTools(): PictureTools {
  const { data } = client.useListFilesQuery(PICTURE_FILTER);
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
          throw new Error(errorMessage(error, UPLOAD_FAILED), { cause: error });
        }
      },
    };
  }, [data, upload]);
}

/** The path of a picture's URL, because mails may use another host name than this page. */
const pathOf = (url: string): string => new URL(url, window.location.origin).pathname;
