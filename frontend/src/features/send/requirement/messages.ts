/** The texts of the dialog 'Paste a requirement'. */
export const requirementMessages = {
  title: 'Paste a requirement',
  label: 'Paste the requirement as you got it',
  tooLong: 'At most 50,000 characters. Paste the requirement alone.',
  nothing: 'No job details found. Fill in what you know.',
  readFailed: 'The requirement could not be read.',
  composeFailed: 'The job post could not be made.',
  hidden: 'Hidden in the post',
  shown: 'Shown in the post',
  citizenship:
    'Naming citizenship or visa types can be discrimination under US law unless a law or government contract requires it (8 U.S.C. 1324b).',
  used: 'The job post is in your email.',
} as const;
