/** A name for a whole geography, which clients may use in some places; no resource can be in it. */
export interface LogicalRegion {
  readonly name: string;
  readonly displayName: string;
  readonly geographyGroup?: string;
}

const logical = (name: string, displayName: string, geographyGroup?: string): LogicalRegion => ({
  name,
  displayName,
  ...(geographyGroup !== undefined && { geographyGroup }),
});

export const LOGICAL_REGIONS: readonly LogicalRegion[] = [
  logical('centralusstage', 'Central US (Stage)', 'US'),
  logical('eastusstage', 'East US (Stage)', 'US'),
  logical('eastus2stage', 'East US 2 (Stage)', 'US'),
  logical('northcentralusstage', 'North Central US (Stage)', 'US'),
  logical('southcentralusstage', 'South Central US (Stage)', 'US'),
  logical('westusstage', 'West US (Stage)', 'US'),
  logical('westus2stage', 'West US 2 (Stage)', 'US'),
  logical('asia', 'Asia'),
  logical('asiapacific', 'Asia Pacific'),
  logical('australia', 'Australia', 'Asia Pacific'),
  logical('brazil', 'Brazil', 'South America'),
  logical('canada', 'Canada', 'Canada'),
  logical('europe', 'Europe'),
  logical('france', 'France', 'Europe'),
  logical('germany', 'Germany', 'Europe'),
  logical('global', 'Global'),
  logical('india', 'India', 'Asia Pacific'),
  logical('indonesia', 'Indonesia', 'Asia Pacific'),
  logical('israel', 'Israel', 'Middle East'),
  logical('italy', 'Italy', 'Europe'),
  logical('japan', 'Japan', 'Asia Pacific'),
  logical('korea', 'Korea', 'Asia Pacific'),
  logical('malaysia', 'Malaysia', 'Asia Pacific'),
  logical('mexico', 'Mexico', 'Mexico'),
  logical('newzealand', 'New Zealand', 'Asia Pacific'),
  logical('norway', 'Norway', 'Europe'),
  logical('poland', 'Poland', 'Europe'),
  logical('qatar', 'Qatar', 'Middle East'),
  logical('singapore', 'Singapore', 'Asia Pacific'),
  logical('southafrica', 'South Africa', 'Africa'),
  logical('spain', 'Spain', 'Europe'),
  logical('sweden', 'Sweden', 'Europe'),
  logical('switzerland', 'Switzerland', 'Europe'),
  logical('taiwan', 'Taiwan', 'Asia Pacific'),
  logical('uae', 'United Arab Emirates', 'Middle East'),
  logical('uk', 'United Kingdom', 'Europe'),
  logical('unitedstates', 'United States', 'US'),
  logical('unitedstateseuap', 'United States EUAP', 'US'),
  logical('eastasiastage', 'East Asia (Stage)', 'Asia Pacific'),
  logical('southeastasiastage', 'Southeast Asia (Stage)', 'Asia Pacific'),
];

/** An extension of a region to another city. */
export interface EdgeZone {
  readonly name: string;
  readonly displayName: string;
  readonly homeLocation: string;
  readonly latitude: string;
  readonly longitude: string;
}

export const EDGE_ZONES: readonly EdgeZone[] = [
  {
    name: 'attatlanta1',
    displayName: 'ATT Atlanta',
    homeLocation: 'eastus2',
    latitude: '33.753746',
    longitude: '-84.386330',
  },
  {
    name: 'attdallas1',
    displayName: 'ATT Dallas',
    homeLocation: 'southcentralus',
    latitude: '32.779167',
    longitude: '-96.808891',
  },
  {
    name: 'losangeles',
    displayName: 'Los Angeles',
    homeLocation: 'westus',
    latitude: '34.058414',
    longitude: '-118.235472',
  },
];
