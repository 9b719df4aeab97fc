/** The regions that this cloud offers. Providers may offer fewer. */
export interface Region {
  readonly name: string;
  readonly displayName: string;
  readonly geographyGroup: string;
  readonly geography: string;
  readonly physicalLocation: string;
  readonly latitude: string;
  readonly longitude: string;
  readonly pairedWith: string;
}

const region = (
  name: string,
  displayName: string,
  geographyGroup: string,
  geography: string,
  physicalLocation: string,
  latitude: string,
  longitude: string,
  pairedWith: string,
): Region => ({ name, displayName, geographyGroup, geography, physicalLocation, latitude, longitude, pairedWith });

export const REGIONS: readonly Region[] = [
  region('eastus', 'East US', 'US', 'United States', 'Virginia', '37.3719', '-79.8164', 'westus'),
  region('eastus2', 'East US 2', 'US', 'United States', 'Virginia', '36.6681', '-78.3889', 'centralus'),
  region('centralus', 'Central US', 'US', 'United States', 'Iowa', '41.5908', '-93.6208', 'eastus2'),
  region(
    'northcentralus',
    'North Central US',
    'US',
    'United States',
    'Illinois',
    '41.8819',
    '-87.6278',
    'southcentralus',
  ),
  region('southcentralus', 'South Central US', 'US', 'United States', 'Texas', '29.4167', '-98.5', 'northcentralus'),
  region('westcentralus', 'West Central US', 'US', 'United States', 'Wyoming', '40.89', '-110.234', 'westus2'),
  region('westus', 'West US', 'US', 'United States', 'California', '37.783', '-122.417', 'eastus'),
  region('westus2', 'West US 2', 'US', 'United States', 'Washington', '47.233', '-119.852', 'westcentralus'),
  region('westus3', 'West US 3', 'US', 'United States', 'Phoenix', '33.448376', '-112.074036', 'eastus'),
  region('canadacentral', 'Canada Central', 'Canada', 'Canada', 'Toronto', '43.653', '-79.383', 'canadaeast'),
  region('canadaeast', 'Canada East', 'Canada', 'Canada', 'Quebec', '46.817', '-71.217', 'canadacentral'),
  region(
    'brazilsouth',
    'Brazil South',
    'South America',
    'Brazil',
    'Sao Paulo State',
    '-23.55',
    '-46.633',
    'southcentralus',
  ),
  region('northeurope', 'North Europe', 'Europe', 'Europe', 'Ireland', '53.3478', '-6.2597', 'westeurope'),
  region('westeurope', 'West Europe', 'Europe', 'Europe', 'Netherlands', '52.3667', '4.9', 'northeurope'),
  region('uksouth', 'UK South', 'Europe', 'United Kingdom', 'London', '50.941', '-0.799', 'ukwest'),
  region('ukwest', 'UK West', 'Europe', 'United Kingdom', 'Cardiff', '53.427', '-3.084', 'uksouth'),
  region('francecentral', 'France Central', 'Europe', 'France', 'Paris', '46.3772', '2.373', 'francesouth'),
  region('francesouth', 'France South', 'Europe', 'France', 'Marseille', '43.8345', '2.1972', 'francecentral'),
  region(
    'germanywestcentral',
    'Germany West Central',
    'Europe',
    'Germany',
    'Frankfurt',
    '50.110924',
    '8.682127',
    'germanynorth',
  ),
  region('germanynorth', 'Germany North', 'Europe', 'Germany', 'Berlin', '53.073635', '8.806422', 'germanywestcentral'),
  region('swedencentral', 'Sweden Central', 'Europe', 'Sweden', 'Gävle', '60.67488', '17.14127', 'swedensouth'),
  region('swedensouth', 'Sweden South', 'Europe', 'Sweden', 'Malmö', '55.6059', '13.0007', 'swedencentral'),
  region('norwayeast', 'Norway East', 'Europe', 'Norway', 'Norway', '59.913868', '10.752245', 'norwaywest'),
  region('norwaywest', 'Norway West', 'Europe', 'Norway', 'Norway', '58.969975', '5.733107', 'norwayeast'),
  region(
    'switzerlandnorth',
    'Switzerland North',
    'Europe',
    'Switzerland',
    'Zurich',
    '47.451542',
    '8.564572',
    'switzerlandwest',
  ),
  region(
    'switzerlandwest',
    'Switzerland West',
    'Europe',
    'Switzerland',
    'Geneva',
    '46.204391',
    '6.143158',
    'switzerlandnorth',
  ),
  region(
    'southeastasia',
    'Southeast Asia',
    'Asia Pacific',
    'Asia Pacific',
    'Singapore',
    '1.283',
    '103.833',
    'eastasia',
  ),
  region('eastasia', 'East Asia', 'Asia Pacific', 'Asia Pacific', 'Hong Kong', '22.267', '114.188', 'southeastasia'),
  region(
    'australiaeast',
    'Australia East',
    'Asia Pacific',
    'Australia',
    'New South Wales',
    '-33.86',
    '151.2094',
    'australiasoutheast',
  ),
  region(
    'australiasoutheast',
    'Australia Southeast',
    'Asia Pacific',
    'Australia',
    'Victoria',
    '-37.8136',
    '144.9631',
    'australiaeast',
  ),
  region('japaneast', 'Japan East', 'Asia Pacific', 'Japan', 'Tokyo, Saitama', '35.68', '139.77', 'japanwest'),
  region('japanwest', 'Japan West', 'Asia Pacific', 'Japan', 'Osaka', '34.6939', '135.5022', 'japaneast'),
  region('koreacentral', 'Korea Central', 'Asia Pacific', 'Korea', 'Seoul', '37.5665', '126.978', 'koreasouth'),
  region('koreasouth', 'Korea South', 'Asia Pacific', 'Korea', 'Busan', '35.1796', '129.0756', 'koreacentral'),
  region('centralindia', 'Central India', 'Asia Pacific', 'India', 'Pune', '18.5822', '73.9197', 'southindia'),
  region('southindia', 'South India', 'Asia Pacific', 'India', 'Chennai', '12.9822', '80.1636', 'centralindia'),
  region('uaenorth', 'UAE North', 'Middle East', 'UAE', 'Dubai', '25.266666', '55.316666', 'uaecentral'),
  region('uaecentral', 'UAE Central', 'Middle East', 'UAE', 'Abu Dhabi', '24.466667', '54.366669', 'uaenorth'),
  region(
    'southafricanorth',
    'South Africa North',
    'Africa',
    'South Africa',
    'Johannesburg',
    '-25.73134',
    '28.21837',
    'southafricawest',
  ),
  region(
    'southafricawest',
    'South Africa West',
    'Africa',
    'South Africa',
    'Cape Town',
    '-34.075691',
    '18.843266',
    'southafricanorth',
  ),
];

const NAMES = new Set(REGIONS.map(({ name }) => name));
export const isRegion = (name: string): boolean => NAMES.has(name);
export const regionNames = (): string => REGIONS.map(({ name }) => name).join(',');
