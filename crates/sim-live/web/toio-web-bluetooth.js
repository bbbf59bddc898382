// Stands in for Web Bluetooth: pages that drive toio cubes drive simulated ones.
//
// Load it before the scripts of the page. `requestDevice` takes the nearest free cube that fits and shows no chooser. Questions about one
// device are answered in their order, so that each kind of answer belongs to the oldest question of that kind and place.
(() => {
    'use strict';

    const ADDRESS = 'SOCKET_ADDRESS';
    const SCAN_MS = 500;
    const SEARCH_MS = 10_000;

    const plain = (uuid) => String(uuid).replaceAll('-', '').toLowerCase();
    const dashed = (uuid) => uuid.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
    const hex = (view) => Array.from(view, (byte) => byte.toString(16).padStart(2, '0')).join('');
    const viewOf = (digits) => new DataView(Uint8Array.from(digits.match(/../g) ?? [], (pair) => parseInt(pair, 16)).buffer);
    const bytesOf = (source) =>
        ArrayBuffer.isView(source) ? new Uint8Array(source.buffer, source.byteOffset, source.byteLength) : new Uint8Array(source);

    function failure(error) {
        if (error === 'not permitted') return new DOMException('GATT operation not permitted.', 'NotSupportedError');
        return new DOMException(`GATT operation failed: ${error}.`, 'NetworkError');
    }

    /** The connection to the simulator: questions out, answers in. */
    class Link {
        constructor() {
            this.waiting = new Map();
            this.devices = new Map();
            this.searches = new Set();
            this.socket = new WebSocket(ADDRESS);
            this.isReady = new Promise((resolve, reject) => {
                this.socket.onmessage = ({ data }) => this.hear(JSON.parse(data), resolve);
                this.socket.onclose = () => {
                    reject(new DOMException('The simulator is not there, or does not allow this page.', 'NetworkError'));
                    this.end();
                };
            });
            this.isReady.catch(() => {});
        }

        end() {
            if (link === this) link = null;
            for (const questions of this.waiting.values()) questions.forEach(({ reject }) => reject(failure('not connected')));
            this.waiting.clear();
            for (const device of this.devices.values()) device.lose();
        }

        send(action, more = {}) {
            this.socket.send(JSON.stringify({ action, ...more }));
        }

        /** The answer to a question: of a type, about a device and maybe a characteristic. */
        ask(action, type, about) {
            const key = [type, about.peripheralUuid, about.characteristicUuid].join(' ');
            return new Promise((resolve, reject) => {
                if (!this.waiting.has(key)) this.waiting.set(key, []);
                this.waiting.get(key).push({ resolve, reject });
                this.send(action, about);
            });
        }

        hear(message, ready) {
            const { type, peripheralUuid, characteristicUuid } = message;
            if (type === 'stateChange') return ready();
            if (type === 'discover') return this.searches.forEach((found) => found(message));
            const device = this.devices.get(peripheralUuid);
            if (type === 'read' && message.isNotification) return device?.notify(characteristicUuid, viewOf(message.data));
            const question = this.waiting.get([type, peripheralUuid, characteristicUuid].join(' '))?.shift();
            if (message.error) question?.reject(failure(message.error));
            else question?.resolve(message);
            if (type === 'disconnect') device?.lose();
        }

        /** The advertisement of the strongest device that fits, as soon as some have been heard for a while. */
        search(fits) {
            return new Promise((resolve, reject) => {
                const seen = new Map();
                const end = (finish, value) => {
                    this.searches.delete(found);
                    clearTimeout(limit);
                    if (this.searches.size === 0) this.send('stopScanning');
                    finish(value);
                };
                const found = (message) => {
                    if (!fits(message)) return;
                    if (seen.size === 0) {
                        setTimeout(() => end(resolve, [...seen.values()].sort((a, b) => b.rssi - a.rssi)[0]), SCAN_MS);
                    }
                    seen.set(message.peripheralUuid, message);
                };
                const limit = setTimeout(() => {
                    if (seen.size === 0) end(reject, new DOMException('No device found.', 'NotFoundError'));
                }, SEARCH_MS);
                this.searches.add(found);
                this.send('startScanning', { serviceUuids: [], allowDuplicates: true });
            });
        }
    }

    let link = null;

    /** The link once it stands. One that has ended is made again. */
    async function connected() {
        link ??= new Link();
        const own = link;
        await own.isReady;
        return own;
    }

    /** An event target with the attribute handlers of its events. */
    class Target extends EventTarget {
        raise(name) {
            const event = new Event(name, { bubbles: true });
            this.dispatchEvent(event);
            this[`on${name}`]?.(event);
        }
    }

    class BluetoothDevice extends Target {
        constructor(own, { peripheralUuid, advertisement }) {
            super();
            this.own = own;
            this.id = peripheralUuid;
            this.name = advertisement.localName;
            this.gatt = new BluetoothRemoteGATTServer(this);
            this.ongattserverdisconnected = null;
            own.devices.set(this.id, this);
        }

        notify(uuid, value) {
            for (const service of this.gatt.services.values()) {
                const characteristic = service.known.get(uuid);
                if (!characteristic) continue;
                characteristic.value = value;
                characteristic.raise('characteristicvaluechanged');
            }
        }

        lose() {
            this.gatt.services.clear();
            if (this.gatt.connected) {
                this.gatt.connected = false;
                this.raise('gattserverdisconnected');
            }
        }

        async forget() {
            this.gatt.disconnect();
            this.own.devices.delete(this.id);
        }
    }

    class BluetoothRemoteGATTServer {
        constructor(device) {
            this.device = device;
            this.connected = false;
            this.services = new Map();
        }

        async connect() {
            const own = await connected();
            this.device.own = own;
            own.devices.set(this.device.id, this.device);
            await own.ask('connect', 'connect', { peripheralUuid: this.device.id });
            this.connected = true;
            return this;
        }

        disconnect() {
            if (this.connected) this.device.own.send('disconnect', { peripheralUuid: this.device.id });
            this.device.lose();
        }

        async getPrimaryServices(uuid) {
            if (!this.connected) throw failure('not connected');
            const about = { peripheralUuid: this.device.id, uuids: uuid === undefined ? [] : [plain(uuid)] };
            const { serviceUuids } = await this.device.own.ask('discoverServices', 'servicesDiscover', about);
            if (serviceUuids.length === 0) throw new DOMException('No such service in the device.', 'NotFoundError');
            return serviceUuids.map((found) => {
                if (!this.services.has(found)) this.services.set(found, new BluetoothRemoteGATTService(this.device, found));
                return this.services.get(found);
            });
        }

        async getPrimaryService(uuid) {
            return (await this.getPrimaryServices(uuid))[0];
        }
    }

    class BluetoothRemoteGATTService extends Target {
        constructor(device, uuid) {
            super();
            this.device = device;
            this.uuid = dashed(uuid);
            this.isPrimary = true;
            this.known = new Map();
        }

        async getCharacteristics(uuid) {
            if (!this.device.gatt.connected) throw failure('not connected');
            const characteristicUuids = uuid === undefined ? [] : [plain(uuid)];
            const about = { peripheralUuid: this.device.id, serviceUuid: plain(this.uuid), characteristicUuids };
            const { characteristics } = await this.device.own.ask('discoverCharacteristics', 'characteristicsDiscover', about);
            if (characteristics.length === 0) throw new DOMException('No such characteristic in the service.', 'NotFoundError');
            return characteristics.map((found) => {
                if (!this.known.has(found.uuid)) this.known.set(found.uuid, new BluetoothRemoteGATTCharacteristic(this, found));
                return this.known.get(found.uuid);
            });
        }

        async getCharacteristic(uuid) {
            return (await this.getCharacteristics(uuid))[0];
        }
    }

    class BluetoothRemoteGATTCharacteristic extends Target {
        constructor(service, { uuid, properties }) {
            super();
            this.service = service;
            this.uuid = dashed(uuid);
            const has = (word) => properties.includes(word);
            this.properties = {
                read: has('read'),
                write: has('write'),
                writeWithoutResponse: has('writeWithoutResponse'),
                notify: has('notify'),
                broadcast: false,
                indicate: false,
                authenticatedSignedWrites: false,
                reliableWrite: false,
                writableAuxiliaries: false,
            };
            this.value = null;
            this.oncharacteristicvaluechanged = null;
        }

        ask(action, type, more = {}) {
            const { device } = this.service;
            if (!device.gatt.connected) return Promise.reject(failure('not connected'));
            const about = { peripheralUuid: device.id, serviceUuid: plain(this.service.uuid), characteristicUuid: plain(this.uuid) };
            return device.own.ask(action, type, { ...about, ...more });
        }

        async readValue() {
            const { data } = await this.ask('read', 'read');
            this.value = viewOf(data);
            this.raise('characteristicvaluechanged');
            return this.value;
        }

        async writeValueWithResponse(source) {
            await this.ask('write', 'write', { data: hex(bytesOf(source)), withoutResponse: false });
        }

        async writeValueWithoutResponse(source) {
            await this.ask('write', 'write', { data: hex(bytesOf(source)), withoutResponse: true });
        }

        async writeValue(source) {
            await this.writeValueWithResponse(source);
        }

        async startNotifications() {
            await this.ask('notify', 'notify', { notify: true });
            return this;
        }

        async stopNotifications() {
            await this.ask('notify', 'notify', { notify: false });
            return this;
        }

        async getDescriptors() {
            throw new DOMException('No descriptors in the characteristic.', 'NotFoundError');
        }
    }

    /** True if an advertisement fits one of the filters, or all are wanted. */
    const fitter =
        ({ filters }) =>
        ({ advertisement }) =>
            !filters ||
            filters.some(
                ({ services = [], name, namePrefix }) =>
                    services.every((service) => advertisement.serviceUuids.includes(plain(service))) &&
                    (name === undefined || name === advertisement.localName) &&
                    (namePrefix === undefined || advertisement.localName.startsWith(namePrefix)),
            );

    class Bluetooth extends Target {
        async requestDevice(options = {}) {
            if (!options.filters && !options.acceptAllDevices) throw new TypeError('Either filters or acceptAllDevices is needed.');
            const own = await connected();
            const found = await own.search(fitter(options));
            return own.devices.get(found.peripheralUuid) ?? new BluetoothDevice(own, found);
        }

        async getDevices() {
            return [...(await connected()).devices.values()];
        }

        async getAvailability() {
            return true;
        }
    }

    Object.defineProperty(navigator, 'bluetooth', { value: new Bluetooth(), configurable: true });
})();
