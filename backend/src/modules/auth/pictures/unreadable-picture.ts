/** The bytes are not a picture that can be copied part by part. */
export class UnreadablePicture extends Error {}
