/** Where blobs are in a data folder, and where those on their way to S3 wait. */
export const BLOBS_FOLDER = 'blobs';
