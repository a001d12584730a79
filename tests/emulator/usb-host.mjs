// A USB host with a CDC-ACM (serial port) driver, at the other end of rp2040js's USB controller.
//
// rp2040js's own buffer handling finishes a transfer at the moment the firmware offers a buffer.
// Here the host decides, as on a real bus: a buffer stays AVAILABLE until the host reads or
// writes it, so the firmware also meets a host that has nothing to say or does not listen.

const IN_BUFFERS = 0x80; // buffer control registers in the dual-port RAM: IN, OUT, IN, OUT ...
const BUFFERS_END = 0x100;
const EP0_DATA = 0x100;
const AVAILABLE = 1 << 10;
const STALL = 1 << 11;
const FULL = 1 << 15;
const LENGTH = 0x3ff;

const MAX_PACKET = 64;
const TRANSACTION_NANOS = 60_000; // a 64-byte packet with its token and handshake at 12 Mbit/s

const DESCRIPTOR_DEVICE = 1;
const DESCRIPTOR_CONFIGURATION = 2;
const TO_HOST = 0x80;
const CLASS_INTERFACE = 0x21;
const CDC_SET_LINE_CODING = 0x20;
const CDC_SET_CONTROL_LINE_STATE = 0x22;
const CDC_DATA = 10;
const DTR_AND_RTS = 3;
const SET_LINES = { name: 'SET_CONTROL_LINE_STATE', type: CLASS_INTERFACE, request: CDC_SET_CONTROL_LINE_STATE };

export class UsbHost {
  /** `onSerial(bytes)` gets what the board sends, a whole transfer at a time. */
  constructor(mcu, onSerial) {
    this.mcu = mcu;
    this.usb = mcu.usbCtrl;
    this.onSerial = onSerial;
    this.alarm = mcu.clock.createAlarm(() => this.transact());
    this.open = false;
    this.reading = true;
    this.toSend = [];
    this.received = [];
    this.requests = [];
    this.current = null;
    this.endpoints = null;
    this.usb.onUSBEnabled = () => this.usb.resetDevice();
    this.usb.onResetReceived = () => this.enumerate();
    this.usb.DPRAMUpdated = (offset, value) => {
      if (offset < IN_BUFFERS || offset >= BUFFERS_END) return;
      if (value & STALL && this.current) throw new Error(`USB: the board refused ${this.current.name}`);
      if (value & AVAILABLE) this.kick();
    };
  }

  /** Bytes for the board's serial port. They wait until it is open. */
  send(bytes) {
    this.toSend.push(...bytes);
    this.kick();
  }

  /** Whether the host takes what the board sends. */
  setReading(reading) {
    this.reading = reading;
    this.kick();
  }

  /** A program opens or closes the port: the DTR and RTS lines. */
  setOpen(open) {
    const lines = open ? DTR_AND_RTS : 0;
    const done = () => (this.open = open);
    this.requests.push({ ...SET_LINES, value: lines, length: 0, data: new Uint8Array(0), done });
    this.kick();
  }

  enumerate() {
    this.open = false;
    this.endpoints = null;
    this.requests = [];
    this.current = null;
    this.request('SET_ADDRESS', 0, 5, 1);
    const device = { name: 'GET_DESCRIPTOR device', type: TO_HOST, request: 6, value: DESCRIPTOR_DEVICE << 8 };
    this.requests.push({ ...device, length: 18, done: () => {} });
    const get = { name: 'GET_DESCRIPTOR configuration', type: TO_HOST, request: 6, value: DESCRIPTOR_CONFIGURATION << 8 };
    const whole = (head) => {
      this.requests.unshift({ ...get, length: head[2] | (head[3] << 8), done: (all) => this.findEndpoints(all) });
    };
    this.requests.push({ ...get, length: 9, done: whole });
    this.request('SET_CONFIGURATION', 0, 9, 1);
    const coding = Uint8Array.of(0x00, 0xc2, 0x01, 0x00, 0, 0, 8); // 115200 8N1
    this.request('SET_LINE_CODING', CLASS_INTERFACE, CDC_SET_LINE_CODING, 0, coding);
    this.setOpen(true);
  }

  /** Queues a control request without data or with data for the board. */
  request(name, type, request, value, data = new Uint8Array(0)) {
    this.requests.push({ name, type, request, value, length: data.length, data });
    this.kick();
  }

  findEndpoints(descriptors) {
    const found = {};
    let dataInterface = false;
    for (let i = 0; i < descriptors.length; i += descriptors[i]) {
      const type = descriptors[i + 1];
      if (type === 4) dataInterface = descriptors[i + 5] === CDC_DATA;
      if (type === 5 && dataInterface) found[descriptors[i + 2] & 0x80 ? 'in' : 'out'] = descriptors[i + 2] & 0x0f;
      if (descriptors[i] === 0) break;
    }
    if (!found.in || !found.out) throw new Error('USB: no CDC data interface in the configuration descriptor');
    this.endpoints = found;
  }

  kick() {
    if (!this.scheduled) {
      this.scheduled = true;
      this.alarm.schedule(TRANSACTION_NANOS);
    }
  }

  /** One turn on the bus: a step of the control request, then the serial data. */
  transact() {
    this.scheduled = false;
    const moved = this.control() | this.readSerial() | this.writeSerial();
    if (moved) this.kick();
  }

  control() {
    if (!this.current) {
      this.current = this.requests.shift();
      if (!this.current) return false;
      const { type, request, value, length } = this.current;
      this.current.incoming = [];
      this.current.sent = 0;
      this.usb.sendSetupPacket(Uint8Array.of(type, request, value & 0xff, value >> 8, 0, 0, length & 0xff, length >> 8));
      return true;
    }
    const now = this.current;
    if (now.type & TO_HOST) {
      if (now.status) return this.writePacket(0, new Uint8Array(0)) && this.finish();
      const packet = this.readPacket(0);
      if (!packet) return false;
      now.incoming.push(...packet);
      now.status = packet.length < MAX_PACKET || now.incoming.length >= now.length;
      return true;
    }
    if (now.sent < now.length) {
      const chunk = now.data.subarray(now.sent, now.sent + MAX_PACKET);
      if (!this.writePacket(0, chunk)) return false;
      now.sent += chunk.length;
      return true;
    }
    return this.readPacket(0) !== null && this.finish();
  }

  finish() {
    const { done, incoming } = this.current;
    this.current = null;
    done?.(Uint8Array.from(incoming));
    return true;
  }

  readSerial() {
    const packet = this.open && this.reading && this.readPacket(this.endpoints.in);
    if (!packet) return false;
    this.received.push(...packet);
    // A host's driver may wait for the short packet that ends a transfer: so does this one.
    if (packet.length < MAX_PACKET) this.onSerial(Uint8Array.from(this.received.splice(0)));
    return true;
  }

  writeSerial() {
    if (!this.open || !this.toSend.length) return false;
    const packet = Uint8Array.from(this.toSend.slice(0, MAX_PACKET));
    if (!this.writePacket(this.endpoints.out, packet)) return false;
    this.toSend.splice(0, packet.length);
    return true;
  }

  /** Takes the packet that the board offers on an IN endpoint, or null. */
  readPacket(endpoint) {
    const register = IN_BUFFERS + endpoint * 8;
    const value = this.mcu.usbDPRAMView.getUint32(register, true);
    if (!(value & AVAILABLE)) return null;
    const start = this.bufferAddress(endpoint, false);
    const packet = this.mcu.usbDPRAM.slice(start, start + (value & LENGTH));
    this.mcu.usbDPRAMView.setUint32(register, value & ~(AVAILABLE | FULL), true);
    this.usb.indicateBufferReady(endpoint, false);
    return packet;
  }

  /** Puts a packet into the buffer that the board offers on an OUT endpoint, if it does. */
  writePacket(endpoint, packet) {
    const register = IN_BUFFERS + endpoint * 8 + 4;
    const value = this.mcu.usbDPRAMView.getUint32(register, true);
    if (!(value & AVAILABLE)) return false;
    if (packet.length > (value & LENGTH)) throw new Error(`USB: the buffer of endpoint ${endpoint} is too small`);
    this.mcu.usbDPRAM.set(packet, this.bufferAddress(endpoint, true));
    this.mcu.usbDPRAMView.setUint32(register, (value & ~(AVAILABLE | LENGTH)) | FULL | packet.length, true);
    this.usb.indicateBufferReady(endpoint, true);
    return true;
  }

  bufferAddress(endpoint, out) {
    if (endpoint === 0) return EP0_DATA;
    const control = endpoint * 8 + (out ? 4 : 0);
    return this.mcu.usbDPRAMView.getUint32(control, true) & 0xffc0;
  }
}
