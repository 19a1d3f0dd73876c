/** A build entry for a copy of the project with only the embedded database. */
export { startEmbedded } from '@sightline/embedded';
